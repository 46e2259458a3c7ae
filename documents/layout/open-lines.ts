import type { Word } from '../types.ts';

/** A word with the height of its centre on the page as it would lie without skew. */
export interface Placed {
  word: Word;
  level: number;
  /** Height of its letters: the box of a slanted word is higher than they are. */
  height: number;
}

interface OpenLine {
  words: Placed[];
  /** Which line was begun first: it is taken where two lie equally near. */
  order: number;
}

/** Share of the smaller height by which the centres of two neighbours on a line may differ. */
const CENTRE_TOLERANCE = 0.38;
/** A word that is higher than so many shelves is compared with every line: looking through the shelves would take longer. */
const MOST_SHELVES = 200;

/**
 * Lines that words are added to from left to right. They lie on shelves by the level of their last word, so that a word
 * is compared with the few lines around it only: a page of small print has a thousand.
 */
export class OpenLines {
  readonly #lines: OpenLine[] = [];
  readonly #shelves = new Map<number, Set<OpenLine>>();
  readonly #shelfHeight: number;

  constructor(words: Placed[]) {
    const heights = words.map(({ height }) => height).sort((a, b) => a - b);
    this.#shelfHeight = Math.max(1, heights[Math.floor(heights.length / 2)] ?? 1);
  }

  get all(): Placed[][] {
    return this.#lines.map(({ words }) => words);
  }

  add(word: Placed): void {
    const home = this.#nearest(word);
    if (!home) {
      const begun = { words: [word], order: this.#lines.length };
      this.#lines.push(begun);
      this.#put(begun, word.level);
      return;
    }
    this.#shelves.get(this.#shelfOf(home.words.at(-1)!.level))?.delete(home);
    home.words.push(word);
    this.#put(home, word.level);
  }

  #shelfOf(level: number): number {
    return Math.floor(level / this.#shelfHeight);
  }

  #put(line: OpenLine, level: number): void {
    const shelf = this.#shelves.get(this.#shelfOf(level));
    if (shelf) shelf.add(line);
    else this.#shelves.set(this.#shelfOf(level), new Set([line]));
  }

  *#around({ level, height }: Placed): Iterable<OpenLine> {
    const from = this.#shelfOf(level - height * CENTRE_TOLERANCE);
    const to = this.#shelfOf(level + height * CENTRE_TOLERANCE);
    // Beyond the safe integers, adding one leads nowhere.
    const countable = Number.isSafeInteger(from) && Number.isSafeInteger(to) && to - from <= MOST_SHELVES;
    if (!countable) yield* this.#lines;
    else for (let shelf = from; shelf <= to; shelf++) yield* this.#shelves.get(shelf) ?? [];
  }

  #nearest(word: Placed): OpenLine | undefined {
    let best: OpenLine | undefined;
    let bestDistance = Infinity;
    for (const line of this.#around(word)) {
      const distance = distanceTo(line.words.at(-1)!, word);
      if (distance > bestDistance || distance === Infinity) continue;
      if (distance === bestDistance && best && best.order < line.order) continue;
      bestDistance = distance;
      best = line;
    }
    return best;
  }
}

/** How far a word lies above or below the last of a line; Infinity where it can't be the next of it. */
function distanceTo(last: Placed, { word, level, height: own }: Placed): number {
  const height = Math.min(last.height, own);
  const distance = Math.abs(last.level - level);
  const overlap = last.word.bbox.x + last.word.bbox.width - word.bbox.x;
  return distance <= height * CENTRE_TOLERANCE && overlap <= Math.max(height, word.bbox.width * 0.5)
    ? distance
    : Infinity;
}
