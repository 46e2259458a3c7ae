import type { EdgeMap } from './work-image.ts';
import type { Seeds } from './seeds.ts';

/** A part of the photo that no edge divides. */
export interface Piece {
  pixels: number[];
  /** Pixels of it on the photo's outermost rows and columns. */
  frame: number;
  /** Indices of the text lines on it. */
  lines: number[];
}

/** @param group the group of each label */
export function piecesOf({ width, height }: EdgeMap, { labels, textLabels }: Seeds, group: Int32Array): Piece[] {
  const pieces = new Map<number, Piece>();
  const pieceOf = (label: number): Piece => {
    const name = group[label]!;
    let piece = pieces.get(name);
    if (!piece) pieces.set(name, (piece = { pixels: [], frame: 0, lines: [] }));
    return piece;
  };
  for (let at = 0; at < labels.length; at++) {
    const piece = pieceOf(labels[at]!);
    piece.pixels.push(at);
    const x = at % width;
    if (x === 0 || x === width - 1 || at < width || at >= width * (height - 1)) piece.frame++;
  }
  // A seed that other lines cover has no pixel of its own; its line is then on their piece.
  for (let label = 1; label <= textLabels; label++) pieceOf(label).lines.push(label - 1);
  return [...pieces.values()].filter(({ pixels }) => pixels.length > 0);
}

/** How two pieces meet: length in pixels and median strength of the edge between them. */
export function borderOf({ width, strength }: EdgeMap, a: Piece, b: Piece): { length: number; edge: number } {
  const [few, many] = a.pixels.length < b.pixels.length ? [a, b] : [b, a];
  const others = new Set(many.pixels);
  const edges: number[] = [];
  for (const at of few.pixels) {
    for (const next of [at - 1, at + 1, at - width, at + width]) {
      if (others.has(next)) edges.push(Math.max(strength[at]!, strength[next]!));
    }
  }
  edges.sort((x, y) => x - y);
  return { length: edges.length, edge: edges[Math.floor(edges.length / 2)] ?? 0 };
}

/** How far the usual colours of two pieces are apart, in units of lightness (0 to 100). */
export function colourDifference({ colours }: EdgeMap, a: Piece, b: Piece): number {
  const usual = ({ pixels }: Piece, plane: Float32Array): number => {
    const sample = pixels.filter((_, i) => i % 7 === 0).map((at) => plane[at]!);
    return sample.sort((x, y) => x - y)[Math.floor(sample.length / 2)] ?? 0;
  };
  return Math.hypot(...colours.map((plane) => usual(a, plane) - usual(b, plane)));
}
