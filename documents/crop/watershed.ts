import type { EdgeMap } from './work-image.ts';

const LEVELS_PER_UNIT = 8;
const LEVELS = 512;

/**
 * Seeded watershed (F. Meyer, "Un algorithme optimal pour la ligne de partage des eaux", 1991): the seeds grow over the
 * map, flat ground first, so that two of them meet on the strongest edge between them.
 *
 * @param seeds a label above 0 at each seeded pixel, 0 elsewhere; filled in place
 */
export function watershed({ width, height, strength }: EdgeMap, seeds: Int32Array): Int32Array {
  const level = (at: number): number => Math.min(LEVELS - 1, Math.floor(strength[at]! * LEVELS_PER_UNIT));
  // First in, first out at each level: plateaus are shared out by distance.
  const queues: number[][] = Array.from({ length: LEVELS }, () => []);
  for (let at = 0; at < seeds.length; at++) {
    if (seeds[at]! > 0) queues[level(at)]!.push(at);
  }
  for (let current = 0; current < LEVELS; current++) {
    const queue = queues[current]!;
    for (let head = 0; head < queue.length; head++) {
      const at = queue[head]!;
      const x = at % width;
      const label = seeds[at]!;
      if (x > 0) spread(at - 1, label);
      if (x + 1 < width) spread(at + 1, label);
      if (at >= width) spread(at - width, label);
      if (at + width < width * height) spread(at + width, label);
    }
    queues[current] = [];

    function spread(next: number, label: number): void {
      if (seeds[next]! > 0) return;
      seeds[next] = label;
      queues[Math.max(current, level(next))]!.push(next);
    }
  }
  return seeds;
}
