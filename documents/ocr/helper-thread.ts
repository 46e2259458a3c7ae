/** A thread that takes lines of the page that the main thread of its process reads too: see helper.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import type { HelperAnswer, HelperRequest } from './helper.ts';
import type { AlphabetName } from './models.ts';
import { Recognisers } from './recognisers.ts';
import { takeLines } from './take-lines.ts';

const { only } = workerData as { only?: AlphabetName };
const recognisers = new Recognisers(only);

parentPort?.on('message', ({ id, image, regions, options, next }: HelperRequest) => {
  const read = takeLines(next, regions, (region) => recognisers.read(image, region, options));
  void read
    .then((lines): HelperAnswer => ({ id, lines }))
    // Without an answer the main thread would wait; the lines that are missing it reads itself.
    .catch((): HelperAnswer => ({ id, lines: [] }))
    .then((answer) => {
      parentPort?.postMessage(answer);
      // Strips lie outside of V8's heap, so it sees no reason to collect them.
      globalThis.gc?.();
    });
});

await recognisers.load();
parentPort?.postMessage({ id: 0, lines: [] } satisfies HelperAnswer);
