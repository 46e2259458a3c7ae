const BINS = 1024;

/**
 * The values at the given shares (0 to 1) of the sorted values, all of which lie in [-1, 1]. Exact, but without sorting:
 * only the bin that holds a share's value is. (Sorting the pixels of its lines took a tenth of a page's time.)
 */
export function quantiles(values: Float32Array, shares: number[]): number[] {
  const counts = new Uint32Array(BINS);
  for (const value of values) counts[binOf(value)]!++;
  return shares.flatMap((share) => {
    let rank = Math.floor(values.length * share);
    let bin = 0;
    while (bin < BINS - 1 && rank >= counts[bin]!) rank -= counts[bin++]!;
    return values.filter((value) => binOf(value) === bin).sort()[rank] ?? [];
  });
}

const binOf = (value: number): number => Math.max(0, Math.min(BINS - 1, Math.floor((value + 1) * (BINS / 2))));
