import type { Line } from '../../layout/lines.ts';
import { addressScore } from '../address.ts';
import { identityLabels, isLabelText } from './labels.ts';
import type { VisualValue } from './visual.ts';

const MAX_LINES = 4;
const POSTAL = /\b[A-Z]{2}[\s,.]+\d{5,6}(?:-\d{4})?\b|\b\d{4,6}\b|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b/;

/** The holder's address: behind its label, else two lines that look like one, the second with a postal code. */
export function holderAddress(lines: Line[]): VisualValue | undefined {
  return labelledAddress(lines) ?? plainAddress(lines);
}

function labelledAddress(lines: Line[]): VisualValue | undefined {
  for (const [position, line] of lines.entries()) {
    for (const segment of line.segments) {
      const match = identityLabels.address.exec(segment.text);
      if (!match) continue;
      const rest = segment.text.slice(match.index + match[0].length).replace(/^[^\p{L}\d]+/u, '');
      const found = rest.length > 4 && !isLabelText(rest) ? [{ text: rest, words: segment.words }] : [];
      for (const below of lines.slice(position + 1, position + 1 + MAX_LINES)) {
        const next = below.segments.find((s) => Math.abs(s.bbox.x - segment.bbox.x) < line.bbox.height * 3);
        if (below.page !== line.page || !next || isLabelText(next.text) || /\d{2}[/.]\d{2}[/.]\d{2}/.test(next.text))
          break;
        found.push(next);
        if (POSTAL.test(next.text) && found.length > 1) break;
      }
      const text = found.map((part) => part.text).join(' ');
      if (found.length > 0 && /\d/.test(text) && text.length >= 8)
        return { value: text, words: found.flatMap((part) => part.words), page: line.page, certainty: 0.8 };
    }
  }
  return undefined;
}

function plainAddress(lines: Line[]): VisualValue | undefined {
  for (const [position, line] of lines.entries()) {
    const segment = line.segments[0];
    const next = lines[position + 1]?.segments.find(
      (s) => segment && Math.abs(s.bbox.x - segment.bbox.x) < s.bbox.height * 3,
    );
    if (!segment || !next || isLabelText(segment.text) || addressScore(segment.text) < 0.8 || !POSTAL.test(next.text))
      continue;
    if (isLabelText(next.text)) continue;
    const value = `${segment.text} ${next.text}`;
    return { value, words: [...segment.words, ...next.words], page: line.page, certainty: 0.65 };
  }
  return undefined;
}
