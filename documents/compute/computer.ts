import { fileURLToPath } from 'node:url';
import { ChildPool } from '../pool/pool.ts';
import type { Computation, DocumentEngine, EngineStats } from '../types.ts';
import { computations } from './computations.ts';

const CHILD_SCRIPT = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Longest input, as characters of JSON, that is worked on in the caller's own thread: some 5,000 words. */
const LARGEST_INLINE = 400_000;
const TIMEOUT_MS = 60_000;
/** A training fits its weights anew for each sample that is left out, and nobody waits for it. */
const TRAINING_TIMEOUT_MS = 300_000;
/** What is computed apart is large each time: its child is soon replaced by one with a small heap. */
const RECYCLE_AFTER = 20;

export interface ComputerOptions {
  processes: number;
  memoryLimitMb: number;
  largestInline?: number | undefined;
  timeoutMs?: number | undefined;
  log: (line: string) => void;
}

/**
 * Calls the engine's pure functions. Small input is worked on at once: a trip to another process would cost more. Large
 * input goes to a child, as JSON, where it may take seconds: the caller's event loop stays free, and a document that was
 * made to take for ever costs that child. The children have no reader in them and are started when they are first needed.
 */
export class Computer {
  readonly #pool: ChildPool;
  readonly #largestInline: number;
  readonly #timeoutMs: number | undefined;
  #apart = 0;

  constructor({ processes, memoryLimitMb, largestInline, timeoutMs, log }: ComputerOptions) {
    this.#largestInline = largestInline ?? LARGEST_INLINE;
    this.#timeoutMs = timeoutMs;
    this.#pool = new ChildPool({
      script: CHILD_SCRIPT,
      size: processes,
      lazy: true,
      work: 'Computing',
      threads: 1,
      memoryLimitMb,
      timeoutMs: timeoutMs ?? TIMEOUT_MS,
      recycleAfter: RECYCLE_AFTER,
      log,
    });
  }

  async compute<Name extends Computation>(
    name: Name,
    input: Parameters<DocumentEngine[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<DocumentEngine[Name]>> {
    type Output = ReturnType<DocumentEngine[Name]>;
    signal?.throwIfAborted();
    const text = JSON.stringify(input);
    // A training is never small: it looks at each sample once for every other.
    const training = name === 'trainModel';
    if (!training && text.length <= this.#largestInline) {
      const compute = computations[name] as (...given: unknown[]) => Output;
      return compute(...input);
    }
    this.#apart++;
    const timeoutMs = this.#timeoutMs ?? (training ? TRAINING_TIMEOUT_MS : TIMEOUT_MS);
    const output = await this.#pool.run({ kind: 'compute', name, input: text }, signal, timeoutMs);
    return (output === undefined ? undefined : JSON.parse(output as string)) as Output;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  stats(): Pick<EngineStats, 'restarts' | 'queued' | 'computed_apart'> {
    const { restarts, queued } = this.#pool.stats();
    return { restarts, queued, computed_apart: this.#apart };
  }
}
