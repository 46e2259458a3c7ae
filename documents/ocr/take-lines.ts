import type { OcrLine, TextRegion } from './engine.ts';

/** A line that was read, and the index of its region. */
export type TakenLine = [index: number, line: OcrLine | undefined];

/**
 * Reads regions until none is left. `next` counts the regions that are taken, in memory that threads share: whoever
 * is free takes the next one, so that a slow thread holds up the page for one line at most.
 */
export async function takeLines(
  next: Int32Array,
  regions: TextRegion[],
  read: (region: TextRegion) => Promise<OcrLine | undefined>,
): Promise<TakenLine[]> {
  const taken: TakenLine[] = [];
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    const region = regions[index];
    if (!region) return taken;
    taken.push([index, await read(region)]);
  }
}
