import { type Line, layoutLines } from '../layout/lines.ts';
import { type Classification, documentTypes, type PageText, type TypeScore } from '../types.ts';
import { evidence } from './features.ts';

/** Lines in which a title may stand. */
const HEAD_LINES = 14;
/** A page whose type isn't found out is most often an invoice or a receipt. */
const PRIOR: Partial<Record<string, number>> = { invoice: 1, receipt: 1 };
/** Turns scores into probabilities; set so that the mean confidence on the dev set is its accuracy. */
const TEMPERATURE = 1.4;
/** Beyond this share of the page's width the print is a till's or a card's. */
const LARGE_PRINT = 0.034;
/** Types of one page at most: more pages are evidence against them. */
const SINGLE_PAGE = new Set(['receipt', 'passport', 'id_document', 'drivers_license']);

/** The type of a document from the words on its first pages; confidences of all types sum to 1. */
export function classifyPages(pages: PageText[]): Classification {
  const lines = layoutLines([...pages].sort((a, b) => a.page - b.page).slice(0, 3));
  const scores = new Map<string, number>(documentTypes.map((type) => [type, PRIOR[type] ?? 0]));
  const add = (type: string, weight: number): void => void scores.set(type, (scores.get(type) ?? 0) + weight);
  for (const { type, pattern, weight, head } of evidence) {
    const searched = head ? lines.slice(0, HEAD_LINES) : lines;
    if (searched.some((line) => matches(line, pattern, head === true))) add(type, weight);
  }
  for (const [type, weight] of shapeEvidence(pages, lines)) add(type, weight);
  const ranked = softmax(scores);
  const [best, ...rest] = ranked;
  return {
    document_type: best!.type,
    confidence: best!.confidence,
    alternatives: rest.filter((t) => t.confidence >= 0.01).slice(0, 4),
  };
}

/** A title may be one segment of its line; a label never spans two. */
const matches = (line: Line, pattern: RegExp, head: boolean): boolean =>
  pattern.test(line.text) || (head && line.segments.some((segment) => pattern.test(segment.text)));

/** What the page looks like: till rolls are narrow, cards are wide with little text, contracts are full lines. */
function shapeEvidence(pages: PageText[], lines: Line[]): [string, number][] {
  const first = pages[0];
  if (!first) return [];
  const found: [string, number][] = [];
  const words = pages.reduce((sum, page) => sum + page.words.length, 0) / pages.length;
  const narrow = first.width / first.height < 0.62;
  if (narrow && first.source === 'ocr') found.push(['receipt', 3]);
  // A till prints a few letters across its roll, an office forty times more on a sheet.
  if (first.source === 'ocr' && printSize(first) > LARGE_PRINT) found.push(['receipt', 2]);
  if (first.source === 'text_layer') found.push(['receipt', -2.5]);
  if (pages.length > 1) for (const type of SINGLE_PAGE) found.push([type, -1.5]);
  const amounts = lines.filter((line) => /\d[.,]\d{2}\b/.test(line.text)).length;
  if (amounts < 2 && words > 250) found.push(['contract', 2], ['resume', 1]);
  if (amounts > lines.length * 0.3) found.push(['contract', -2], ['resume', -2]);
  if (/<{3,}/.test(lines.map((line) => line.text).join('\n'))) found.push(['passport', 2], ['id_document', 2]);
  return found;
}

/** Height of the usual word as a share of the page's width; 0.02 to 0.03 on a scanned sheet. */
function printSize(page: PageText): number {
  const heights = page.words.map((word) => word.bbox.height).sort((a, b) => a - b);
  return (heights[Math.floor(heights.length / 2)] ?? 0) / Math.max(1, page.width);
}

function softmax(scores: Map<string, number>): TypeScore[] {
  const top = Math.max(...scores.values());
  const weights = [...scores].map(([type, score]) => ({ type, weight: Math.exp((score - top) / TEMPERATURE) }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  return weights
    .map(({ type, weight }) => ({ type, confidence: Math.round((weight / sum) * 1000) / 1000 }))
    .sort((a, b) => b.confidence - a.confidence);
}
