import type { Line } from '../../layout/lines.ts';
import type { Word } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { isLabelText } from './labels.ts';
import { type Found, pastDate, readDate, readName, readNumber } from './values.ts';
import type { VisualValue, VisualZone } from './visual.ts';

/**
 * Licences number their fields alike: 1 surname, 2 given names, 3 birth, 4a issue, 4b expiry, 4c authority, 8 address
 * (EU directive 2006/126/EC annex I, ISO/IEC 18013-1, AAMVA card design standard). The number is 5 in Europe and 4d in
 * North America.
 */
const FIELDS: [string, RegExp][] = [
  ['surname', /^[^\p{L}\d]*(?:[1lI|][.,)]?\s?(?=\p{Lu}{2}|\p{Lu}['’])|1[.)]\s?(?=\p{Lu}\p{Ll}))/u],
  ['given_names', /^[^\p{L}\d]*2[.,)]?\s?(?=\p{Lu})/u],
  ['date_of_birth', /(?:^|\s)3[.,)]?\s?(?:dob)?[:.]?\s?(?=\d)/iu],
  ['issue_date', /(?:^|\s)4\s?[aA][.,)]?\s?(?:iss)?[:.]?\s?(?=\d)/iu],
  ['expiry_date', /(?:^|\s)4\s?[bB][.,)]?\s?(?:exp)?[:.]?\s?(?=\d)/iu],
  [
    'document_number',
    /(?:^|\s)4\s?d[.,)]?\s?(?:(?:lic|dln?|number|no|customer identifier)(?:\s?\/\s?\p{L}+)?)?\s?[#.:]*\s?(?=[A-Z0-9])/iu,
  ],
  ['european_number', /(?:^|\s)5[.,)]\s?(?=[A-Z0-9]{5})/u],
  ['authority', /(?:^|\s)4\s?[cC][.,)]?\s?(?=\p{L})/u],
  ['address', /^[^\p{L}\d]*8[.,)]?\s?(?=\d+\s?\p{L}|\p{Lu})/u],
];

/** At least so many numbered fields make it a card of this kind; one may be a chance. */
const FEWEST = 2;

export function readNumberedFields(context: ExtractContext): VisualZone {
  const found: VisualZone = {};
  for (const [position, line] of context.lines.entries()) {
    for (const segment of line.segments) {
      for (const [name, pattern] of FIELDS) {
        const match = pattern.exec(segment.text);
        if (!match || found[name]) continue;
        const rest = segment.text.slice(match.index + match[0].length);
        const value = valueOf(name, rest, context);
        if (value === undefined) continue;
        const covered = wordsOf(segment.words, match.index + match[0].length + value.index, value.length);
        found[name] = { value: value.value, words: covered, page: line.page, certainty: 0.88 };
        if (name === 'address') extendAddress(found[name], context.lines, position, segment.bbox.x);
      }
    }
  }
  if (Object.keys(found).length < FEWEST) return {};
  const surname = found['surname'] ?? (found['given_names'] && nameOver(found['given_names'], context.lines));
  return withNumber(surname ? { ...found, surname } : found);
}

/** The surname over field 2, where its own 1 was lost or read as a mark. */
export function nameOver(given: VisualValue, lines: Line[]): VisualValue | undefined {
  const box = given.words[0]!.bbox;
  // Flush with the name itself, or with the label before it.
  const own = lines.find(({ words }) => words.includes(given.words[0]!));
  const lefts = [box.x, own?.bbox.x ?? box.x];
  const above = lines
    .filter((line) => line.page === given.page && line.bbox.y + line.bbox.height / 2 < box.y)
    .slice(-2)
    .reverse();
  for (const line of above) {
    const segment = line.segments.find(({ bbox }) => lefts.some((left) => Math.abs(bbox.x - left) < box.height * 2.5));
    const name = segment && !isLabelText(segment.text) ? readName(segment.text) : undefined;
    if (segment && name) return { value: name.value, words: segment.words, page: line.page, certainty: 0.75 };
  }
  return undefined;
}

function withNumber(found: VisualZone): VisualZone {
  const { european_number: european, ...rest } = found;
  if (european && !rest['document_number']) return { ...rest, document_number: european };
  return rest;
}

function valueOf(name: string, rest: string, context: ExtractContext): Found<string> | undefined {
  if (name.endsWith('_date') || name === 'date_of_birth') {
    const date = readDate(rest.slice(0, 16), context.dateOrder);
    if (!date || date.index > 3) return undefined;
    return name === 'date_of_birth' ? { ...date, value: pastDate(date.value) } : date;
  }
  if (name === 'document_number' || name === 'european_number') {
    const number = readNumber(rest.split(/\s(?=\d{1,2}[a-z]?\s?[A-Z]{3})/)[0]!, 0.15);
    return number && number.index <= 1 ? number : undefined;
  }
  if (name === 'address')
    return rest.length >= 5 && /\p{L}\s|\s\p{L}|\d\p{L}{5}/u.test(rest)
      ? { value: rest.trim(), index: 0, length: rest.length }
      : undefined;
  if (isLabelText(rest)) return undefined;
  return readName(rest);
}

/** The address goes on in the lines below, flush with its first, up to the postal code. */
function extendAddress(field: VisualValue, lines: Line[], position: number, x: number): void {
  const first = lines[position]!;
  for (const line of lines.slice(position + 1, position + 4)) {
    const segment = line.segments.find(({ bbox }) => Math.abs(bbox.x - x) < first.bbox.height * 2.5);
    if (!segment) continue;
    const text = segment.text.trim();
    if (
      isLabelText(text) ||
      /^\d{1,2}[a-z]?[.,]?\s?[A-Z]{2,4}\b[:\s]|^\d{1,2}[a-d]?[.)]\s/.test(text) ||
      /\d{2}[/.]\d{2}[/.]\d{4}/.test(text)
    )
      break;
    field.value = `${field.value} ${text}`;
    field.words = [...field.words, ...segment.words];
    if (/\d{4,5}(?:-\d{4})?\s*$|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}$/.test(text)) break;
  }
}

/** The words that cover a range of their text, joined by one space. */
function wordsOf(words: Word[], index: number, length: number): Word[] {
  const found: Word[] = [];
  let at = 0;
  for (const word of words) {
    if (at + word.text.length > index && at < index + length) found.push(word);
    at += word.text.length + 1;
  }
  return found;
}
