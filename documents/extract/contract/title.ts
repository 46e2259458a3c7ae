import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { fieldOf } from '../field.ts';

const HEAD = 45;
const KIND =
  /agreement\b|\bcontract\b|\blease\b|\bdeed\b|memorandum\s*of\s*understanding|letter\s*of\s*intent|terms\s*(?:and|&)\s*conditions|\bvertrag\b|\p{L}+vertrag\b|vereinbarung\b|\bcontrat\b|\bconvention\b|accord\b|\bbail\b|\bcontrato\b|\bacuerdo\b|\bconvenio\b|overeenkomst\b|\bcontratto\b|\baccordo\b/iu;
const NOT_TITLE =
  /^\W*(?:this|dieser?|le présent|el presente|deze|whereas|re:)\b|[.;]\s*$|,\s*dated|\bhereinafter\b|\bbetween\b.*\band\b/i;

/** The contract's heading: a short line of the first page with the name of its kind; a filing's index line doesn't count. */
export function contractTitle(lines: Line[]): ExtractionField | undefined {
  const head = lines.slice(0, HEAD);
  const scored = head
    .map((line, index) => ({ line, index, text: line.text.trim() }))
    .filter(
      ({ text }) =>
        KIND.test(text) && !NOT_TITLE.test(text) && !/^\W*EX-?\d/i.test(text) && text.split(/\s+/).length <= 12,
    )
    .map((entry) => ({ ...entry, score: scoreOf(entry.text, entry.line, head, entry.index) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (!best || best.score < 0) return undefined;
  const parts = [best.line];
  const above = head[best.index - 1];
  // A heading that is broken over two lines: MUTUAL NON-DISCLOSURE / AGREEMENT.
  if (above && above.page === best.line.page && continues(above, best.line, best.text)) parts.unshift(above);
  const value = parts
    .map((line) => line.text.trim())
    .join(' ')
    .replace(/^[\s"“*_-]+|[\s"”*_:.-]+$/g, '');
  return fieldOf(
    value,
    parts.flatMap((line) => line.words),
    best.line.page,
    Math.min(0.92, 0.6 + 0.1 * best.score),
  );
}

function scoreOf(text: string, line: Line, head: Line[], index: number): number {
  const usual = [...head].map((other) => other.bbox.height).sort((a, b) => a - b)[Math.floor(head.length / 2)] ?? 1;
  const letters = text.replace(/[^\p{L}]/gu, '');
  const capitals = letters === letters.toUpperCase() ? 1.2 : 0;
  const titled =
    text.split(/\s+/).filter((word) => /^[\p{Lu}\d(&/-]/u.test(word)).length / text.split(/\s+/).length > 0.6
      ? 0.8
      : -0.8;
  return (
    capitals +
    titled +
    (line.bbox.height > usual * 1.2 ? 1 : 0) +
    (index < 12 ? 0.8 : 0) -
    index * 0.03 +
    (text.split(/\s+/).length <= 8 ? 0.5 : 0)
  );
}

const continues = (above: Line, line: Line, text: string): boolean => {
  const small = text.split(/\s+/).length <= 2;
  const capitals = above.text === above.text.toUpperCase() && text === text.toUpperCase();
  const gap = line.bbox.y - (above.bbox.y + above.bbox.height);
  return (
    small &&
    capitals &&
    gap < line.bbox.height * 1.2 &&
    above.text.split(/\s+/).length <= 6 &&
    !/exhibit|\d/i.test(above.text)
  );
};
