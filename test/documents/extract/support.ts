import { createContext, type ExtractContext } from '../../../documents/extract/context.ts';
import type { ExtractionField, PageText } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

/** The context of documents typed as lines, one array a page. */
export const contextOf = (...pages: string[][]): ExtractContext =>
  createContext(pages.map((lines, index) => ({ ...typedPage(lines, { width: 1400 }), page: index + 1 })));

/** A typed page in which the words of some lines are larger print. */
export function withLargePrint(lines: string[], large: number[]): ExtractContext {
  const page: PageText = typedPage(lines, { width: 1400 });
  const tops = new Set(large.map((row) => 40 + row * 28));
  const words = page.words.map((word) =>
    tops.has(word.bbox.y) ? { ...word, bbox: { ...word.bbox, y: word.bbox.y - 4, height: 36 } } : word,
  );
  return createContext([{ ...page, words }]);
}

export const valuesOf = (fields: Record<string, ExtractionField>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
