import type { QueryResultRow } from 'pg';
import { DatabaseUnavailableError } from './errors.ts';
import type { Step, StepResult } from './packet.ts';
import { statement } from './statement.ts';
import type { Statement } from './statement.ts';

const SET_TENANT = statement(`select set_config('app.client_id', $1, true)`);

/** Row-level security shows the rows of this client to the statements that follow in the same transaction. */
export function asTenant(clientId: number): Step {
  return [SET_TENANT, [String(clientId)]];
}

/** What the steps of a packet answered until one failed, and what that one's error was. */
export interface PartialResults {
  results: readonly StepResult[];
  error?: Error;
}

/** Sends steps over a connection of its own; it doesn't throw. */
type Send = (steps: readonly Step[]) => Promise<PartialResults>;

interface Read {
  /** Undefined where the role sees all tenants. */
  clientId: number | undefined;
  step: Step;
  resolve: (rows: QueryResultRow[]) => void;
  reject: (reason: unknown) => void;
}

/** Packets that are looked upon as under way: with more, reads wait and travel together. */
const LANES = 4;
/** A packet that takes longer than this holds no lane any more: what waits goes past it. */
const PATIENCE_MS = 10;
/** Reads that travel together at most: what one of them keeps waiting. */
const MAX_TOGETHER = 16;

/**
 * Joins reads that wait for a connection into one packet: one write, one wake-up of the server and one answer for all of
 * them, each as its own tenant. With few under way a read leaves at once and alone.
 *
 * They share nothing but the way: a read that fails fails alone, and those behind it, which the server then leaves out, are
 * sent again. What may take long goes alone: statements marked so, and those that aren't prepared, which are lists and
 * searches in their many forms.
 */
export class JointReads {
  readonly #send: Send;
  #waiting: Read[] = [];
  #busyLanes = 0;
  #isScheduled = false;

  constructor(send: Send) {
    this.#send = send;
  }

  read(clientId: number | undefined, prepared: Statement, values: readonly unknown[]): Promise<QueryResultRow[]> {
    return new Promise((resolve, reject) => {
      const read = { clientId, step: [prepared, values] as const, resolve, reject };
      if (prepared.name === '' || prepared.isLong === true) {
        void this.#travel([read]);
        return;
      }
      this.#waiting.push(read);
      this.#schedule();
    });
  }

  /** After all that is asked for in this turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#fillLanes();
    });
  }

  #fillLanes(): void {
    while (this.#waiting.length > 0 && this.#busyLanes < LANES) {
      // Spread over the lanes that are free: a read that stands alone is answered first.
      const size = Math.min(MAX_TOGETHER, Math.ceil(this.#waiting.length / (LANES - this.#busyLanes)));
      this.#occupy(this.#waiting.splice(0, size));
    }
  }

  #occupy(reads: readonly Read[]): void {
    this.#busyLanes += 1;
    let isBusy = true;
    const free = (): void => {
      if (!isBusy) return;
      isBusy = false;
      this.#busyLanes -= 1;
      this.#fillLanes();
    };
    const timer = setTimeout(free, PATIENCE_MS);
    void this.#travel(reads).finally(() => {
      clearTimeout(timer);
      free();
    });
  }

  async #travel(reads: readonly Read[]): Promise<void> {
    const steps: Step[] = [];
    const places: number[] = [];
    let tenant: number | undefined;
    for (const { clientId, step } of reads) {
      if (clientId !== undefined && clientId !== tenant) steps.push(asTenant(clientId));
      tenant = clientId;
      places.push(steps.push(step) - 1);
    }
    const { results, error } = await this.#send(steps);
    for (const [index, read] of reads.entries()) {
      const result = results[places[index] ?? -1];
      if (result !== undefined) read.resolve(result.rows);
      else if (endedThePacket(index, places, results) || error instanceof DatabaseUnavailableError) read.reject(error);
      // Alone: nothing that fails comes between again.
      else void this.#travel([read]);
    }
  }
}

/** Whether it is the read at which the packet ended: its statement failed, or the setting of its tenant. */
function endedThePacket(index: number, places: readonly number[], results: readonly StepResult[]): boolean {
  const before = places[index - 1];
  return before === undefined || before < results.length;
}
