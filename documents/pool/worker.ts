import { type ChildProcess, fork } from 'node:child_process';
import { residentMb } from './memory.ts';
import type { ReaderName } from '../types.ts';
import type { ChildAnswer, ChildRequest, ComputeRequest } from './protocol.ts';

/** glibc maps allocations of this size and more from the system and gives them back; left alone, it raises that to 32 MB. */
const MAPPED_FROM_BYTES = '1048576';
/** A bomb fills a gigabyte in half a second. */
const MEMORY_POLL_MS = 25;
/** Loading the models takes a second on a slow machine; a child that needs this long will never come. */
const BOOT_TIMEOUT_MS = 30_000;

/** How a call ended: an answer, or the reason why the child had to die (`killed`: by the system, short of memory). */
export type CallEnd =
  { end: 'answer'; answer: ChildAnswer } | { end: 'crash' | 'killed' | 'memory' | 'timeout' | 'aborted' };

export interface WorkerOptions {
  script: string;
  threads: number;
  reader?: ReaderName | undefined;
  memoryLimitMb: number;
  /** Time limit of a call that has none of its own. */
  timeoutMs: number;
}

/** One child process and the call that it works on. */
export class Worker {
  readonly ready: Promise<boolean>;
  calls = 0;
  #child: ChildProcess;
  #options: WorkerOptions;
  #finish: ((end: CallEnd) => void) | undefined;
  #exited = false;
  /** Id of the request that the child works on. */
  #awaited = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#child = fork(options.script, [], {
      serialization: 'advanced',
      // Not the parent's: it may run under a test runner's or a debugger's flags.
      execArgv: ['--expose-gc'],
      env: childEnvironment(options),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ready = this.#waitForBoot();
    this.#child.on('message', (message: unknown) => {
      this.#receive(message);
    });
    this.#child.on('exit', (_code, signal) => {
      this.#exited = true;
      this.#settle({ end: signal === 'SIGKILL' ? 'killed' : 'crash' });
    });
    this.#child.on('error', () => {
      // Never started: there is no process whose end could be waited for.
      if (this.#child.pid === undefined) this.#exited = true;
      this.kill();
      this.#settle({ end: 'crash' });
    });
  }

  get alive(): boolean {
    return !this.#exited && this.#child.connected;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends one request and watches the child until it answers, dies, or has to be killed. Never rejects. */
  async call(
    request: ChildRequest | ComputeRequest,
    { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
  ): Promise<CallEnd> {
    this.calls++;
    this.#awaited = request.id;
    const watch = new AbortController();
    const end = await new Promise<CallEnd>((resolve) => {
      this.#finish = resolve;
      const stop = (reason: 'timeout' | 'memory' | 'aborted') => () => {
        resolve({ end: reason });
      };
      const timer = setTimeout(stop('timeout'), timeoutMs);
      watch.signal.addEventListener('abort', () => {
        clearTimeout(timer);
      });
      signal?.addEventListener('abort', stop('aborted'), { signal: watch.signal });
      void this.#watchMemory(watch.signal, stop('memory'));
      if (signal?.aborted) stop('aborted')();
      else this.#send(request, resolve);
    });
    this.#finish = undefined;
    watch.abort();
    if (end.end !== 'answer') this.kill();
    return end;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.#exited) return;
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.kill();
    await exited;
  }

  #send(request: ChildRequest | ComputeRequest, finish: (end: CallEnd) => void): void {
    if (!this.alive) {
      finish({ end: 'crash' });
      return;
    }
    this.#child.send(request, (error) => {
      if (error) finish({ end: 'crash' });
    });
  }

  /** A child that a hostile file has taken over may say anything: what is no answer to the question ends it. */
  #receive(message: unknown): void {
    if (!isAnswer(message)) this.#settle({ end: 'crash' });
    else if (message.id !== 0 && message.id === this.#awaited) this.#settle({ end: 'answer', answer: message });
  }

  #settle(end: CallEnd): void {
    this.#finish?.(end);
  }

  async #watchMemory(signal: AbortSignal, overLimit: () => void): Promise<void> {
    while (!signal.aborted && this.#child.pid !== undefined && this.alive) {
      const used = await residentMb(this.#child.pid);
      if (used !== undefined && used > this.#options.memoryLimitMb) {
        // The call may have ended while the figure was read: its promise ignores a second end.
        overLimit();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, MEMORY_POLL_MS));
    }
  }

  #waitForBoot(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.kill();
        resolve(false);
      }, BOOT_TIMEOUT_MS);
      const done = (booted: boolean): void => {
        clearTimeout(timer);
        resolve(booted);
      };
      this.#child.on('message', (message: unknown) => {
        if (isAnswer(message) && message.id === 0) done(true);
      });
      this.#child.once('exit', () => {
        done(false);
      });
      this.#child.once('error', () => {
        done(false);
      });
    });
  }
}

function isAnswer(message: unknown): message is ChildAnswer {
  if (typeof message !== 'object' || message === null) return false;
  const { id, ok, code, message: text } = message as Record<string, unknown>;
  if (typeof id !== 'number' || typeof ok !== 'boolean') return false;
  return ok || (typeof code === 'string' && typeof text === 'string');
}

/** Only what a reader needs: a child that parses hostile files must not hold the parent's secrets. */
function childEnvironment({ threads, reader }: WorkerOptions): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot'];
  const inherited = Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const chosen = reader === undefined ? {} : { DOCUMENTS_READER: reader };
  // onnxruntime sends usage telemetry to its maker unless told not to: nothing leaves this machine.
  // Many small glibc arenas never give memory back to the system, nor does a heap that pictures and tensors are laid into.
  const quiet = { ORT_DISABLE_TELEMETRY: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: MAPPED_FROM_BYTES };
  return { ...inherited, ...chosen, ...quiet, DOCUMENTS_THREADS: String(threads) };
}
