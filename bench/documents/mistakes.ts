import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentEngine } from '../../documents/index.ts';
import type { Scored } from './measures.ts';
import { readPages } from './page-cache.ts';
import { DATA } from './scorer.ts';

export const mistakeKinds = [
  'misread: the text does not hold the value',
  'chosen wrongly: the text holds it, something else was returned',
  'overlooked: the text holds it, nothing was returned',
  'amount or date: another one was returned',
  'amount or date: nothing was returned',
] as const;
type MistakeKind = (typeof mistakeKinds)[number];

export interface Mistakes {
  counts: Map<MistakeKind, number>;
  /** The documents with the most wrong fields, worst first. */
  worst: { file: string; wrong: number; of: number }[];
}

/** What went wrong, by kind, and where most. */
export async function mistakesOf(
  documents: readonly Scored[],
  engine: DocumentEngine,
  cache: string,
): Promise<Mistakes> {
  const counts = new Map<MistakeKind, number>(mistakeKinds.map((kind) => [kind, 0]));
  const perDocument: Mistakes['worst'] = [];
  for (const { file, fields } of documents) {
    const wrong = Object.values(fields).filter((field) => !field.exact);
    if (wrong.length === 0) continue;
    perDocument.push({ file, wrong: wrong.length, of: Object.keys(fields).length });
    const text = flat(await textOf(engine, file, cache));
    for (const { truth, name } of wrong) {
      const kind = kindOf(truth, name !== null, text);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  perDocument.sort((a, b) => b.wrong - a.wrong || b.wrong / b.of - a.wrong / a.of || a.file.localeCompare(b.file));
  return { counts, worst: perDocument.slice(0, 10) };
}

function kindOf(truth: unknown, isReturned: boolean, text: string): MistakeKind {
  const [misread, chosen, overlooked, wrongValue, noValue] = mistakeKinds;
  const isPrinted = typeof truth === 'string' && !/^\d{4}-\d\d-\d\d$/.test(truth);
  if (!isPrinted) return isReturned ? wrongValue : noValue;
  if (!text.includes(flat(truth))) return misread;
  return isReturned ? chosen : overlooked;
}

async function textOf(engine: DocumentEngine, file: string, cache: string): Promise<string> {
  try {
    const pages = await readPages(engine, await readFile(join(DATA, file)), cache);
    return pages.flatMap((page) => page.words.map((word) => word.text)).join('');
  } catch {
    // Refused: nothing was read of it.
    return '';
  }
}

const flat = (text: string): string => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
