import { DocumentError } from '../errors.ts';
import type { ChildAnswer, ChildRequest, ComputeRequest } from './protocol.ts';
import { type CallEnd, Worker, type WorkerOptions } from './worker.ts';

export interface PoolOptions extends WorkerOptions {
  size: number;
  /** Calls after which a child is replaced: bounds what leaks and fragmentation can pile up. */
  recycleAfter: number;
  /** Starts children when calls come that need them, not before. */
  lazy?: boolean;
  /** What the children do, as a refusal calls it. */
  work?: 'Reading' | 'Computing';
  log: (line: string) => void;
}

interface PoolStats {
  children: number;
  restarts: number;
  queued: number;
  pids: number[];
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type PoolRequest = WithoutId<ChildRequest | ComputeRequest>;

interface Job {
  request: PoolRequest;
  signal: AbortSignal | undefined;
  timeoutMs: number;
  crashes: number;
  /** It ran out of memory in a child that had read other files; now it gets a fresh one. */
  secondTry: boolean;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** So many children in a row that die before they are ready mean a broken installation, not a hostile file. */
const MAX_BOOT_FAILURES = 3;

/** A bounded number of child processes, one call each at a time, first come first served. */
export class ChildPool {
  readonly #options: PoolOptions;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #queue: Job[] = [];
  #restarts = 0;
  #booting = 0;
  #bootFailures = 0;
  #nextId = 1;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    if (options.lazy !== true) for (let i = 0; i < options.size; i++) this.#start();
  }

  stats(): PoolStats {
    const pids = [...this.#all].flatMap((worker) => (worker.pid === undefined ? [] : [worker.pid]));
    return { children: this.#all.size, restarts: this.#restarts, queued: this.#queue.length, pids };
  }

  run(request: PoolRequest, signal?: AbortSignal, timeoutMs = this.#options.timeoutMs): Promise<unknown> {
    if (this.#closed) return Promise.reject(new DocumentError('OUT_OF_RESOURCES', 'The document engine is closed.'));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const drop = (): void => this.#drop(job);
      // A caller may use one signal for thousands of calls: none may leave a listener on it.
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', drop);
          settle(value);
        };
      const job: Job = {
        request,
        signal,
        timeoutMs,
        crashes: 0,
        secondTry: false,
        resolve: settled(resolve),
        reject: settled(reject),
      };
      signal?.addEventListener('abort', drop, { once: true });
      this.#queue.push(job);
      this.#refill();
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) {
      job.reject(new DocumentError('OUT_OF_RESOURCES', 'The document engine is closed.'));
    }
    await Promise.all([...this.#all].map((worker) => worker.stop()));
    this.#all.clear();
  }

  #start(): void {
    const worker = new Worker(this.#options);
    this.#all.add(worker);
    this.#booting++;
    void worker.ready.then((booted) => {
      this.#booting--;
      if (booted) {
        this.#bootFailures = 0;
        this.#idle.push(worker);
        this.#next();
        return;
      }
      this.#all.delete(worker);
      if (this.#closed) return;
      this.#bootFailures++;
      this.#options.log(`documents: a child process died while starting (${String(this.#bootFailures)} in a row)`);
      if (this.#bootFailures < MAX_BOOT_FAILURES) this.#replace();
      else this.#failQueue();
    });
  }

  #replace(): void {
    if (this.#closed) return;
    this.#restarts++;
    this.#start();
  }

  /** Children for a call that came: those of a lazy pool, and all of one that was found broken: it gets a fresh try. */
  #refill(): void {
    const { size, lazy } = this.#options;
    if (this.#all.size === 0) this.#bootFailures = 0;
    if (lazy === true) {
      const missing = this.#queue.length - this.#idle.length - this.#booting;
      for (let i = Math.min(missing, size - this.#all.size); i > 0; i--) this.#start();
    } else if (this.#all.size === 0) for (let i = 0; i < size; i++) this.#replace();
  }

  #failQueue(): void {
    if (this.#all.size > 0) return;
    for (const job of this.#queue.splice(0)) {
      job.reject(new DocumentError('OUT_OF_RESOURCES', "The document engine's child processes don't start."));
    }
  }

  #drop(job: Job): void {
    const index = this.#queue.indexOf(job);
    if (index < 0) return; // It runs: the worker's own listener ends it.
    this.#queue.splice(index, 1);
    job.reject(job.signal?.reason);
  }

  #next(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const worker = this.#idle.shift()!;
      if (!worker.alive) {
        this.#retire(worker, 'died while idle');
        continue;
      }
      void this.#work(worker, this.#queue.shift()!);
    }
  }

  async #work(worker: Worker, job: Job): Promise<void> {
    const end = await worker.call({ ...job.request, id: this.#nextId++ }, job);
    if (end.end !== 'answer') this.#retire(worker, end.end);
    else if (worker.calls >= this.#options.recycleAfter) this.#retire(worker, undefined);
    else this.#idle.push(worker);
    if (end.end === 'memory' && worker.calls > 1 && !job.secondTry) {
      // The child may have been swollen by the files before this one: WebAssembly heaps never shrink.
      job.secondTry = true;
      this.#queue.unshift(job);
    } else this.#settle(job, end);
    this.#next();
  }

  #retire(worker: Worker, reason: string | undefined): void {
    this.#all.delete(worker);
    worker.kill();
    if (reason !== undefined) this.#options.log(`documents: child ${String(worker.pid)} replaced: ${reason}`);
    this.#replace();
  }

  #settle(job: Job, end: CallEnd): void {
    const { work = 'Reading', memoryLimitMb } = this.#options;
    if (end.end === 'answer') settleAnswer(job, end.answer);
    else if (end.end === 'aborted') job.reject(job.signal?.reason);
    else if (end.end === 'timeout') {
      job.reject(new DocumentError('TIMEOUT', `${work} took longer than ${String(job.timeoutMs)} ms.`, 'file'));
    } else if (end.end === 'memory') {
      job.reject(
        new DocumentError('OUT_OF_RESOURCES', `${work} needs more than ${String(memoryLimitMb)} MB of memory.`, 'file'),
      );
    } else if (this.#closed) job.reject(new DocumentError('OUT_OF_RESOURCES', 'The document engine is closed.'));
    else if (++job.crashes < 2) this.#queue.unshift(job);
    else if (end.end === 'killed') {
      job.reject(new DocumentError('OUT_OF_RESOURCES', 'The system ended its process twice: it lacks memory.', 'file'));
    } else job.reject(new DocumentError('BROKEN', 'The document crashed its process twice.', 'file'));
  }
}

function settleAnswer(job: Job, answer: ChildAnswer): void {
  if (answer.ok) job.resolve(answer.value);
  else job.reject(new DocumentError(answer.code, answer.message, answer.field));
}
