import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from './terminal.ts';
import { messageOf } from './errors.ts';

/** A running service: a process of ours, PostgreSQL, or Temporal. */
export interface Service {
  pid: number;
  /** Settles when it is gone, with how it ended where that is known. */
  exited: Promise<string | undefined>;
  stop: () => Promise<void>;
  /** At once, whatever is lost. */
  kill: () => void;
  /** What to tell about an end that nobody wanted: its last lines and its log. */
  epitaph: () => string;
}

export interface SupervisorEvents {
  /** It runs again, as another process. */
  onRestarted?: () => void;
  /** It died too often. */
  onGivenUp: (message: string) => void;
}

const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 200;

/**
 * Starts a service and resolves when it is ready. It hands the service to `register` as soon as there is a process, so
 * that a stop in the middle of a start finds something to stop.
 */
export type StartService = (register: (service: Service) => void) => Promise<unknown>;

/**
 * Keeps one service running: starts it again, a little later each time, when it dies; gives up when it has died more
 * than five times in a minute.
 */
export class Supervisor {
  readonly name: string;
  readonly #start: StartService;
  readonly #terminal: Terminal;
  readonly #events: SupervisorEvents;
  readonly #deaths: number[] = [];
  #service: Service | undefined;
  #stopping = false;
  #starting: Promise<unknown> = Promise.resolve();

  constructor(name: string, start: StartService, terminal: Terminal, events: SupervisorEvents) {
    this.name = name;
    this.#start = start;
    this.#terminal = terminal;
    this.#events = events;
  }

  get pid(): number | undefined {
    return this.#service?.pid;
  }

  /** The first start: a failure is the caller's. From then on deaths are dealt with here. */
  async start(): Promise<void> {
    await this.#launch();
  }

  /** Ends the service and the watch over it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#service?.stop();
    // A start that was on its way may have made its process meanwhile.
    await this.#starting.catch(() => undefined);
    await this.#service?.stop();
  }

  kill(): void {
    this.#stopping = true;
    this.#service?.kill();
  }

  async #launch(): Promise<void> {
    let latest: Service | undefined;
    const starting = this.#start((service) => {
      latest = service;
      this.#service = service;
      if (this.#stopping) service.kill();
    });
    this.#starting = starting;
    await starting;
    if (latest !== undefined) this.#watch(latest);
  }

  #watch(service: Service): void {
    void service.exited.then(async (how) => {
      if (this.#stopping) return;
      const ending = how === undefined ? '' : ` (${how})`;
      this.#terminal.line(`${this.name} ended unexpectedly${ending}. ${service.epitaph()}`);
      await this.#restart();
    });
  }

  async #restart(): Promise<void> {
    while (!this.#stopping) {
      const now = Date.now();
      this.#deaths.push(now);
      const recent = this.#deaths.filter((at) => now - at < RESTART_WINDOW_MS).length;
      if (recent > MAX_RESTARTS) {
        this.#events.onGivenUp(`${this.name} ended ${String(recent)} times within a minute; it is not started again.`);
        return;
      }
      await sleep(FIRST_DELAY_MS * 2 ** (recent - 1));
      if (await this.#startAgain(recent)) return;
    }
  }

  /** Whether it runs again (or is no longer wanted). */
  async #startAgain(attempt: number): Promise<boolean> {
    if (this.#isStopping()) return true;
    try {
      await this.#launch();
      this.#terminal.line(
        `${this.name} runs again (restart ${String(attempt)}; the fifth within a minute is the last).`,
      );
    } catch (error) {
      if (this.#isStopping()) return true;
      this.#terminal.line(`${this.name} could not be started again: ${messageOf(error)}`);
      return false;
    }
    if (!this.#isStopping()) this.#events.onRestarted?.();
    return true;
  }

  #isStopping(): boolean {
    return this.#stopping;
  }
}
