const BINS = 1024;

/**
 * The values at the given shares (0 to 1) of the sorted values, all of which lie in [-1, 1]. Exact, but without sorting:
 * only the bin that holds a share's value is. Plain loops, because the pixels of all lines of a page pass through here.
 */
export function quantiles(values: Float32Array, shares: number[]): number[] {
  const counts = new Uint32Array(BINS);
  const bins = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const bin = Math.max(0, Math.min(BINS - 1, Math.floor((values[i]! + 1) * (BINS / 2))));
    bins[i] = bin;
    counts[bin] = counts[bin]! + 1;
  }
  return shares.flatMap((share) => {
    let rank = Math.floor(values.length * share);
    let bin = 0;
    while (bin < BINS - 1 && rank >= counts[bin]!) rank -= counts[bin++]!;
    return valuesIn(bin, counts[bin]!, values, bins).sort()[rank] ?? [];
  });
}

function valuesIn(bin: number, count: number, values: Float32Array, bins: Uint16Array): Float32Array {
  const found = new Float32Array(count);
  for (let i = 0, at = 0; at < count; i++) {
    if (bins[i] === bin) found[at++] = values[i]!;
  }
  return found;
}
