import type { Line } from '../../layout/lines.ts';
import type { ExtractionField, Word } from '../../types.ts';
import { addressScore } from '../address.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { headingOf, type Section } from './headings.ts';

const HEAD_LINES = 25;
const NOT_A_NAME =
  /curriculum|vitae|r[ée]sum[ée]|lebenslauf|updated|page|profile|phone|email|address|linkedin|github|portfolio|engineer|developer|manager|designer|analyst|consultant|student|specialist|director|assistant|architect|scientist|university|street|avenue|road\b/i;
const EMAIL = /[\p{L}\d][\p{L}\d._%+-]*\s?@\s?[\p{L}\d-]+(?:\s?\.\s?[\p{L}\d-]+)*\.\s?\p{L}{2,}/u;

/** The e-mail address, the lines of the head being read first. */
export function findEmail(lines: Line[]): ExtractionField | undefined {
  for (const line of lines) {
    const match = EMAIL.exec(line.text);
    if (match)
      return fieldOf(match[0].replace(/\s/g, ''), wordsAt(line, match.index, match[0].length), line.page, 0.96);
  }
  return undefined;
}

/** The holder's name: the largest print of the head that reads like one; parts of it in the e-mail address confirm it. */
export function findName(lines: Line[], email: string | undefined): ExtractionField | undefined {
  const head = lines.filter((line) => line.page === lines[0]?.page).slice(0, HEAD_LINES);
  const heights = head.flatMap((line) => line.words.map((word) => word.bbox.height)).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  const candidates = head.flatMap((line, index) =>
    line.segments.flatMap((segment) => {
      const name = nameIn(segment.text);
      if (name === undefined) return [];
      const size = Math.max(...segment.words.map((word) => word.bbox.height)) / usual;
      const score = Math.min(3, size - 1) * 2 + inEmail(name, email) * 1.5 - index * 0.08 + (index === 0 ? 0.4 : 0);
      return [{ name, words: segment.words, line, score, size, index }];
    }),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (!best) return undefined;
  const second = candidates.find((other) => isOtherHalf(best, other));
  const parts = second ? [best, second].sort((a, b) => a.line.bbox.y - b.line.bbox.y) : [best];
  if (!second && !best.name.includes(' ')) return undefined;
  const certainty = Math.min(0.96, 0.6 + 0.1 * Math.max(0, best.score) + 0.08 * inEmail(best.name, email));
  return fieldOf(
    parts.map((part) => part.name).join(' '),
    parts.flatMap((part) => part.words),
    best.line.page,
    certainty,
  );
}

interface Candidate {
  name: string;
  words: Word[];
  line: Line;
  size: number;
}

/** First and last name under each other in print of the same size. */
function isOtherHalf(best: Candidate, other: Candidate): boolean {
  const gap = Math.abs(best.line.bbox.y - other.line.bbox.y);
  const sized = Math.abs(best.size - other.size) < best.size * 0.12 && best.size > 1.4;
  return (
    other !== best &&
    !best.name.includes(' ') &&
    !other.name.includes(' ') &&
    sized &&
    gap > 0 &&
    gap < best.line.bbox.height * 2.2
  );
}

/** A person's name without titles and degrees; undefined where a text isn't one. */
function nameIn(text: string): string | undefined {
  const name = text
    .replace(/^\W*(?:(?:dr|prof|mr|mrs|ms|ing)\b\.?\s*)*/i, '')
    .replace(/,?\s+(?:ph\.?\s?d|m\.?d|m\.?sc|b\.?sc|mba|cpa|pmp|esq|jr|sr)\b.*$/i, '')
    .replace(/[\s,|•·-]+$/, '')
    .trim();
  const words = name.split(/\s+/);
  if (words.length > 5 || name.length < 3 || /[\d@:/|]/.test(name) || NOT_A_NAME.test(name) || headingOf(name))
    return undefined;
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (capital < Math.min(2, words.length) || !words.every((word) => /^[\p{L}.'’-]+$/u.test(word))) return undefined;
  const spaced = words.length >= 4 && words.every((word) => word.length === 1);
  return spaced ? words.join('') : name.replace(/\s+/g, ' ');
}

/** 1 where two parts of the name stand in the address, 0.6 for one. */
function inEmail(name: string, email: string | undefined): number {
  const box = (email ?? '').split('@')[0]!.toLowerCase();
  const parts = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[\s-]+/)
    .filter((part) => part.length >= 3 && box.includes(part));
  return parts.length >= 2 ? 1 : parts.length * 0.6;
}

const PHONE = /(?<![\d./@-])(?:\(?\+\s?\d{1,3}\)?|\(\d{2,5}\)|\d)[\d\s().-]{6,18}\d(?![\d/@])/g;
const PHONE_LABEL =
  /(?:phone|tel|mobile|cell|mob|telefon|handy|t[ée]l[ée]phone|tel[ée]fono|m[oó]vil|telefoon|cellulare)\b\W*$/i;

/** A telephone number of the head or the contact section; years and date ranges look alike and are left out. */
export function findPhone(sections: Section[]): ExtractionField | undefined {
  const [head, ...rest] = sections;
  const lines = [
    ...(head?.lines ?? []).slice(0, HEAD_LINES),
    ...rest.filter(({ name }) => name === 'contact').flatMap((section) => section.lines),
    ...rest.flatMap((section) => section.lines),
  ];
  const found = lines.flatMap((line, index) =>
    [...line.text.matchAll(PHONE)].flatMap((match) => {
      const digits = match[0].replace(/\D/g, '');
      if (
        digits.length < 8 ||
        digits.length > 15 ||
        /(?:19|20)\d{2}\s?[-.]\s?(?:\d{2}\s?[-./]\s?)?(?:19|20)?\d{2}/.test(match[0])
      )
        return [];
      const labelled = PHONE_LABEL.test(line.text.slice(0, match.index));
      const inHead = index < (head?.lines.length ?? 0);
      const score = (labelled ? 1 : 0) + (inHead ? 0.7 : 0) + (/[+(]/.test(match[0]) ? 0.4 : 0);
      // Two separators or more, as a number is dictated: 816-555-0146.
      const grouped = line.page === 1 && /\d[\s.-]+\(?\d+\)?[\s.-]+\d/.test(match[0]);
      return [{ line, match, score: score + (grouped ? 0.2 : 0) }];
    }),
  );
  const best = found.sort((a, b) => b.score - a.score)[0];
  if (!best || best.score === 0) return undefined;
  const value = best.match[0].trim().replace(/\s+/g, ' ');
  return fieldOf(
    value,
    wordsAt(best.line, best.match.index, best.match[0].length),
    best.line.page,
    Math.min(0.95, 0.7 + 0.15 * best.score),
  );
}

const PLACE = /^\p{Lu}[\p{L}.'’ -]+,\s*(?:\p{Lu}{2,3}|\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?)(?:\s+[\dA-Z-]{4,8})?$/u;
const ADDRESS_LABEL =
  /^\W*(?:address|location|adresse|anschrift|wohnort|direcci[oó]n|domicilio|adres|woonplaats|indirizzo)\b\W*/i;

/** The postal address, or the town, in the head or the contact section. */
export function findAddress(sections: Section[], name: string | undefined): ExtractionField | undefined {
  const lines = sections
    .filter((section) => section.name === 'head' || section.name === 'contact')
    .flatMap((section) => section.lines.slice(0, HEAD_LINES));
  let best: { text: string; line: Line; score: number } | undefined;
  for (const line of lines) {
    for (const piece of line.segments.flatMap((segment) => segment.text.split(/\s*[|•·◦▪●]\s*|\s{2,}|\s[-–—]\s/))) {
      const labelled = ADDRESS_LABEL.test(piece);
      const text = piece.replace(ADDRESS_LABEL, '').replace(/^[^\p{L}\d#]+|[\s,;]+$/gu, '');
      if (
        text.length < 5 ||
        text === name ||
        /@|www|http|\.com\b|linkedin|github/i.test(text) ||
        text.split(' ').length > 12
      )
        continue;
      const street = /\d/.test(text) ? addressScore(text) : 0;
      const score = (labelled ? 2 : 0) + (street >= 1 ? street : 0) + (PLACE.test(text) ? 1 : 0);
      if (score >= 1 && (!best || score > best.score)) best = { text, line, score };
    }
  }
  if (!best) return undefined;
  const at = best.line.text.indexOf(best.text);
  const words = at < 0 ? best.line.words : wordsAt(best.line, at, best.text.length);
  return fieldOf(best.text, words, best.line.page, Math.min(0.88, 0.55 + 0.12 * best.score));
}
