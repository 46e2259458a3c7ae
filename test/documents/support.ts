import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PageText, Word } from '../../documents/index.ts';

const SHARED = resolve(import.meta.dirname, '../../../shared/data');

/** The real documents are not in the repo: a test of them says so where they are absent. */
export const sharedDataIsThere = existsSync(SHARED);
if (!sharedDataIsThere) process.stderr.write(`tests on real documents are skipped: ${SHARED} is not there\n`);

export const sharedFile = (path: string): Buffer => readFileSync(resolve(SHARED, path));

const CHARACTER = 12;
const HEIGHT = 20;

/** A page typed as lines; its words stand where the letters stand. `skew` is the fall in pixels for each pixel across. */
export function typedPage(lines: string[], options: { skew?: number; width?: number } = {}): PageText {
  const words: Word[] = [];
  for (const [row, line] of lines.entries()) {
    for (const match of line.matchAll(/\S+/g)) {
      const x = match.index * CHARACTER;
      const y = 40 + row * HEIGHT * 1.4 + x * (options.skew ?? 0);
      words.push({
        text: match[0],
        confidence: 0.98,
        bbox: { x, y, width: match[0].length * CHARACTER, height: HEIGHT },
      });
    }
  }
  const height = 80 + lines.length * HEIGHT * 1.4;
  return { page: 1, width: options.width ?? 600, height, dpi: 200, words, source: 'ocr', rotation: 0, language: 'en' };
}
