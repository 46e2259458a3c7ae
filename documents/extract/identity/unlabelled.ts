import type { Line, Segment } from '../../layout/lines.ts';
import type { ExtractContext } from '../context.ts';
import { unlabelledName } from './names.ts';
import { findDates } from '../../values/dates.ts';
import { isLabelText } from './labels.ts';
import { readName } from './values.ts';
import type { VisualValue, VisualZone } from './visual.ts';

/** Letters and digits, seven or more, as cards print their number beside the name of the document. */
const LONE_NUMBER = /^(?=(?:.*\d){2})(?=.*[A-Z])[A-Z0-9]{7,14}$/;
/** Twelve digits in fours: India's Aadhaar. */
const GROUPED_NUMBER = /^\d{4}\s\d{4}\s\d{4}$/;
const ROMANIAN_SERIES = /\bseria\s*(?<series>[A-Z]{2})\s*n[ro]\.?\s*(?<number>\d{6})\b/i;

const valueOf = (text: string, { words, line }: Cell, certainty: number): VisualValue => ({
  value: text,
  words,
  page: line.page,
  certainty,
});

interface Cell extends Segment {
  line: Line;
}

const cellsOf = (lines: Line[]): Cell[] =>
  lines.flatMap((line) => line.segments.map((segment) => ({ ...segment, line })));

/** The number of a card that has no label: alone in its cell, or at the end of the card's title. */
export function unlabelledNumber({ lines }: ExtractContext): VisualValue | undefined {
  const cells = cellsOf(lines);
  for (const cell of cells) {
    const match = ROMANIAN_SERIES.exec(cell.line.text)?.groups;
    if (match) return valueOf(`${match['series']!.toUpperCase()}${match['number']!}`, cell, 0.88);
  }
  for (const cell of cells) {
    if (GROUPED_NUMBER.test(cell.text.trim())) return valueOf(cell.text.trim(), cell, 0.8);
    const last = cell.words.at(-1);
    const alone = cell.words.length === 1 || /card|carte|ausweis|carta|kaart|dow[oó]d|cart[aã]o/i.test(cell.text);
    if (last && alone && LONE_NUMBER.test(last.text) && !isDateLike(last.text))
      return { value: last.text, words: [last], page: cell.line.page, certainty: 0.7 };
  }
  return undefined;
}

const isDateLike = (text: string): boolean => /^\d{1,2}[A-Z]{3,9}\d{2,4}$/.test(text);

const SEXES: [RegExp, 'M' | 'F'][] = [
  [/^\W*(?:female|perempuan|femme|mujer|weiblich)\W*$/i, 'F'],
  [/^\W*(?:male|lelaki|homme|hombre|männlich)\W*$/i, 'M'],
];

/** "FEMALE" in a cell of its own. */
export function unlabelledSex(lines: Line[]): VisualValue | undefined {
  for (const cell of cellsOf(lines)) {
    const sex = SEXES.find(([pattern]) => pattern.test(cell.text.split('/').at(-1)!))?.[1];
    if (sex) return valueOf(sex, cell, 0.85);
  }
  return undefined;
}

const REACH = 2;
/** What cards print beside their holders' names. */
const NOT_A_NAME =
  /government|ministry|kingdom|republic|jamhuri|malaysia|mykad|kad\s*pengenalan|identity|resident|authority|emirates|united|citizen|warganegara|islam|federal/i;

/** A whole name without a label: next to the line of the birth date or of the card's number, else in capitals. */
export function unlabelledHolder(lines: Line[], number: string | undefined): VisualZone {
  const anchor = lines.findIndex(
    ({ text }) => findDates(text, 'dmy').length > 0 || (number !== undefined && text.includes(number)),
  );
  const near =
    anchor < 0
      ? []
      : [...lines.slice(Math.max(0, anchor - REACH), anchor).reverse(), ...lines.slice(anchor + 1, anchor + 2)];
  for (const line of near) {
    for (const segment of line.segments) {
      const name = readName(segment.text);
      if (!name?.value.includes(' ') || NOT_A_NAME.test(segment.text) || isLabelText(segment.text)) continue;
      return { full_name: { value: name.value, words: segment.words, page: line.page, certainty: 0.6 } };
    }
  }
  return unlabelledName(lines);
}
