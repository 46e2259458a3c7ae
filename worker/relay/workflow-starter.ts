import { acknowledgeStarts, claimStarts, postponeStarts } from '../../domain/outbox/index.ts';
import type { WorkflowStartRow } from '../../domain/outbox/index.ts';
import { WORKFLOW } from '../../domain/contracts/workflows.ts';
import { adoptStranded } from '../../domain/webhooks/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import { isTemporalUnavailable } from '../../platform/temporal.ts';
import type { TemporalGateway } from '../../platform/temporal.ts';
import { searchableAttributes, workflowMemo } from './workflow-facts.ts';
import { Signal } from './signal.ts';

const MAX_BATCH = 50;
const POLL_MS = 1_000;
/** While Temporal is away one row is tried at a time, this often. */
const PROBE_MS = 1_000;
const MAX_BACKOFF_MS = 300_000;
/** How often retries are looked for whose workflow is gone. */
const ADOPT_MS = 60_000;

/**
 * Workflows that are asked for once more when they should have ended long ago: one that an operator terminated is started
 * anew. Their steps find in the database what is done already. Of a call of Document AI the database alone says whether it
 * is open: restored from a backup, it may not know what Temporal takes for completed.
 */
const RESTARTED: Readonly<Record<string, 'incomplete' | 'any'>> = {
  [WORKFLOW.deliverWebhook]: 'incomplete',
  [WORKFLOW.extractDocument]: 'any',
  [WORKFLOW.processDocument]: 'any',
};

/**
 * Starts the workflows that committed changes asked for. A row is deleted once Temporal has acknowledged its start; one
 * that was started before (its acknowledgement was lost) counts as started.
 */
export class WorkflowStarter {
  readonly #db: SystemDatabase;
  readonly #temporal: TemporalGateway;
  readonly #log: Logger;
  readonly #signal = new Signal();
  #isStopped = false;
  #isAway = false;
  // Not at once: a worker that comes back finds many late, and makes them.
  #adoptAt = performance.now() + ADOPT_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(options: { db: SystemDatabase; temporal: TemporalGateway; log: Logger }) {
    this.#db = options.db;
    this.#temporal = options.temporal;
    this.#log = options.log;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** There is something to start. */
  wake(delayMs = 0): void {
    if (delayMs === 0) this.#signal.set();
    else this.#signal.setSoon(delayMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#signal.set();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      let isMore = false;
      try {
        await this.#adopt();
        isMore = await this.#startBatch();
      } catch (error) {
        this.#log.warn({ err: (error as Error).message }, 'workflow starts not fetched');
      }
      if (this.#isAway) await this.#pause(PROBE_MS);
      else if (!isMore) await this.#signal.wait(POLL_MS);
    }
  }

  /** A safety net only: in the ordinary way there are none. */
  async #adopt(): Promise<void> {
    if (performance.now() < this.#adoptAt) return;
    this.#adoptAt = performance.now() + ADOPT_MS;
    const adopted = await adoptStranded(this.#db);
    if (adopted > 0)
      this.#log.warn({ deliveries: adopted }, 'retries are long overdue; asked for their workflows again');
  }

  async #startBatch(): Promise<boolean> {
    const limit = this.#isAway ? 1 : MAX_BATCH;
    const rows = await claimStarts(this.#db, limit);
    const results = await Promise.all(rows.map((row) => this.#startOne(row)));
    const started = rows.filter((_, index) => results[index] === undefined);
    const failed = rows.flatMap((row, index) => {
      const error = results[index];
      return error === undefined ? [] : [{ row, error }];
    });
    if (started.length > 0)
      await acknowledgeStarts(
        this.#db,
        started.map((row) => row.id),
      );
    if (failed.length > 0) await this.#postpone(failed);
    this.#noteAvailability(
      started.length > 0,
      failed.some(({ error }) => isTemporalUnavailable(error)),
    );
    return rows.length === limit;
  }

  async #startOne(row: WorkflowStartRow): Promise<Error | undefined> {
    const restarts = RESTARTED[row.workflow_type];
    try {
      await this.#temporal.start({
        workflowType: row.workflow_type,
        workflowId: row.workflow_id,
        taskQueue: row.task_queue,
        input: row.input,
        memo: workflowMemo(row),
        searchAttributes: searchableAttributes(row),
        ...(restarts === undefined ? {} : { restarts }),
      });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** A lack of Temporal says nothing about the row, so it waits no longer than the others; any other failure backs off. */
  async #postpone(failed: readonly { row: WorkflowStartRow; error: Error }[]): Promise<void> {
    await postponeStarts(
      this.#db,
      failed.map(({ row, error }) => ({
        id: row.id,
        delayMs: isTemporalUnavailable(error) ? 0 : Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** Math.min(row.attempts, 20)),
        error: error.message.slice(0, 500),
      })),
    );
  }

  #noteAvailability(anyStarted: boolean, anyUnavailable: boolean): void {
    if (anyStarted && this.#isAway) {
      this.#isAway = false;
      this.#log.info('Temporal is back; starting the workflows that waited');
    } else if (anyUnavailable && !anyStarted && !this.#isAway) {
      this.#isAway = true;
      this.#log.warn('Temporal is not reachable; workflow starts wait in the outbox');
    }
  }

  async #pause(ms: number): Promise<void> {
    // Not the signal: while Temporal is away new rows are no reason to hurry.
    const deadline = performance.now() + ms;
    while (!this.#isStopped && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
