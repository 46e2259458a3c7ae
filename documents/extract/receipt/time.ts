import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';

/** 14:05, 14:05:09, 8:53 PM, 14h05, 14.05 Uhr. */
const TIME =
  /(?<![\d:.,/])(?<hour>[0-2]?\d)(?:(?<mark>[:;])|(?<french>\s?h\s?)|(?<german>\.)(?=[0-5]\d\s?(?:uhr|hrs?)\b))(?<minute>[0-5]\d)(?:[:.](?<second>[0-5]\d))?(?!\d)\s?(?<half>[ap]\.?m\b)?/gi;
const LABEL = /\b(?:time|zeit|uhrzeit|heure|hora|ora|tijd|tyd|masa|uhr)\b/i;
const DATE =
  /\d{1,4}\s?[-/.]\s?(?:\d{1,2}|\p{L}{3,9})\s?[-/.]\s?\d{2,4}|\p{L}{3,9}\.? \d{1,2},? 20\d\d|\d{1,2} \p{L}{3,9},? 20\d\d/u;
/** Opening hours, pick-up and arrival times aren't when the receipt was printed. */
const OTHER =
  /\b(?:hours|open(?:ing)?|mon|tue|wed|thu|fri|sat|sun|daily|pick.?up|delivery|arriv\w*|entry|exit|in|out|geöffnet|horaires?|horario)\b|\d\s?[-–]\s?\d{1,2}[:.]\d{2}/i;

interface Candidate {
  value: string;
  words: ReturnType<typeof wordsAt>;
  page: number;
  score: number;
}

/** 24-hour HH:MM or HH:MM:SS: the time beside the date or behind its label, else the first on the receipt. */
export function receiptTime(context: ExtractContext, date: ExtractionField | undefined): ExtractionField | undefined {
  const candidates = context.lines.flatMap((line, position): Candidate[] =>
    [...line.text.matchAll(TIME)].flatMap((match) => {
      const value = toTime(match);
      if (value === undefined) return [];
      const before = line.text.slice(0, match.index);
      const words = wordsAt(line, match.index, match[0].trimEnd().length);
      const dated = DATE.test(line.text);
      const beside = date?.bbox ? Math.abs(date.bbox.y - line.bbox.y) < line.bbox.height : false;
      const withDate = dated && beside;
      const score =
        (LABEL.test(before) ? 2 : 0) +
        (withDate ? 2.5 : dated ? 1 : 0) +
        (OTHER.test(withDate ? before : line.text) ? -2 : 0) +
        (value.length > 5 ? 0.3 : 0) -
        (position === 0 && line.words.length === 1 ? 2 : 0) -
        0.02 * position;
      return [{ value, words, page: line.page, score }];
    }),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (!best || best.score < -1.5) return undefined;
  return fieldOf(best.value, best.words, best.page, best.score >= 1.5 ? 0.95 : best.score > 0 ? 0.85 : 0.7);
}

function toTime(match: RegExpMatchArray): string | undefined {
  const { hour: hours = '', minute = '', second, half } = match.groups ?? {};
  let hour = Number(hours);
  const afternoon = half?.toLowerCase().startsWith('p');
  if (half !== undefined && hour > 12) return hour > 23 ? undefined : format(hour, minute, second);
  if (afternoon === true && hour < 12) hour += 12;
  if (afternoon === false && hour === 12) hour = 0;
  return hour > 23 ? undefined : format(hour, minute, second);
}

const format = (hour: number, minute: string, second: string | undefined): string =>
  `${String(hour).padStart(2, '0')}:${minute}${second === undefined ? '' : `:${second}`}`;
