import { Worker } from 'node:worker_threads';
import type { RecogniseOptions, RgbImage, TextRegion } from './engine.ts';
import type { AlphabetName } from './models.ts';
import type { TakenLine } from './take-lines.ts';

export interface HelperRequest {
  id: number;
  /** Its pixels in memory that threads share. */
  image: RgbImage;
  regions: TextRegion[];
  options: RecogniseOptions;
  /** See takeLines(). */
  next: Int32Array;
}

/** 0 is the id of the answer "ready". */
export interface HelperAnswer {
  id: number;
  lines: TakenLine[];
}

/**
 * A second thread of this process, with recognisers of its own. onnxruntime runs a network on the thread that asks for it, and two
 * threads within one network spend half of their time waiting for each other.
 */
export class Helper {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (lines: TakenLine[]) => void>();
  #nextId = 1;
  #isGone = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', ({ id, lines }: HelperAnswer) => this.#settle(id, lines));
    // It is gone: what it had taken is read again by who waits.
    const gone = (): void => {
      this.#isGone = true;
      for (const id of [...this.#waiting.keys()]) this.#settle(id, []);
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    // An idle helper keeps no process alive.
    worker.unref();
  }

  /** Resolves when its recognisers are loaded, or could not be: then it is of no help and does no harm. */
  static async create(only?: AlphabetName): Promise<Helper> {
    const workerData = only === undefined ? {} : { only };
    const helper = new Helper(new Worker(new URL('./helper-thread.ts', import.meta.url), { workerData }));
    helper.#worker.ref();
    await new Promise<TakenLine[]>((resolve) => helper.#waiting.set(0, resolve));
    helper.#worker.unref();
    return helper;
  }

  /** Takes regions until none is left. Lines that it took and could not read are missing from the answer. */
  takeLines(request: Omit<HelperRequest, 'id'>): Promise<TakenLine[]> {
    if (this.#isGone) return Promise.resolve([]);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, (lines) => {
        this.#worker.unref();
        resolve(lines);
      });
      this.#worker.ref();
      this.#worker.postMessage({ ...request, id } satisfies HelperRequest);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(id: number, lines: TakenLine[]): void {
    this.#waiting.get(id)?.(lines);
    this.#waiting.delete(id);
  }
}
