import type { Line, Segment } from '../../layout/lines.ts';
import type { Word } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { type IdentityLabel, identityLabels, isLabelText } from './labels.ts';
import { type Found, pastDate, readDate, readName, readNumber, readSex, readValidity } from './values.ts';

export interface VisualValue {
  value: string;
  words: Word[];
  page: number;
  certainty: number;
}

export type VisualZone = Partial<Record<string, VisualValue>>;

type Reader = (text: string) => Found<string> | undefined;

interface Cell extends Segment {
  line: Line;
}

const BELOW_HEIGHTS = 2.6;
/** From one line of a name to its next. */
const WRAP_HEIGHTS = 2;

/** Values beside or under their labels in the zone for people's eyes. */
export function readVisualZone(context: ExtractContext): VisualZone {
  const cells = context.lines.flatMap((line) => line.segments.map((segment) => ({ ...segment, line })));
  const date: Reader = (text) => readDate(text, context.dateOrder);
  const birth: Reader = (text) => {
    const found = date(text);
    return found && { ...found, value: pastDate(found.value) };
  };
  const readers: [IdentityLabel, Reader, number][] = [
    ['surname', readName, 0.85],
    ['given_names', readName, 0.85],
    ['full_name', readName, 0.75],
    ['date_of_birth', birth, 0.9],
    ['issue_date', date, 0.9],
    ['expiry_date', (text) => readValidity(text, 'to', context.dateOrder) ?? date(text), 0.9],
    ['sex', readSex, 0.9],
    ['nationality', readName, 0.6],
    ['place_of_birth', readName, 0.7],
    ['document_number', readNumber, 0.88],
    ['licence_number', readNumber, 0.9],
    ['id_number', readNumber, 0.85],
    ['serial_number', readNumber, 0.6],
    ['personal_number', readNumber, 0.8],
    ['authority', readName, 0.6],
  ];
  const zone: VisualZone = {};
  for (const [name, read, certainty] of readers) {
    const value = labelled(cells, name, read, certainty);
    if (value) zone[name] = value;
  }
  if (!zone['issue_date']) {
    const start = labelled(cells, 'expiry_date', (text) => readValidity(text, 'from', context.dateOrder), 0.85);
    if (start) zone['issue_date'] = start;
  }
  return zone;
}

function labelled(cells: Cell[], name: IdentityLabel, read: Reader, certainty: number): VisualValue | undefined {
  const named = ['surname', 'given_names', 'full_name', 'nationality', 'place_of_birth', 'authority'].includes(name);
  for (const cell of cells) {
    const match = identityLabels[name].exec(cell.text);
    if (!match) continue;
    const from = match.index + match[0].length;
    const right = rightOf(cell, from, read, named) ?? besideOf(cells, cell, from, read, named);
    if (right) return { ...right, certainty };
    // Behind the same label in another language, the column starts with the cell.
    const translated = /[/|.]\s*$/.test(cell.text.slice(0, match.index));
    const below = underOf(cells, cell, read, named, translated ? 0 : match.index);
    if (below) return { ...below, certainty: certainty * 0.97 };
  }
  return undefined;
}

type Place = Omit<VisualValue, 'certainty'>;

/** In the label's own cell. A name follows a colon or stands behind all of the label's translations. */
function rightOf(cell: Cell, from: number, read: Reader, named: boolean): Place | undefined {
  const rest = cell.text.slice(from);
  if (!/[\p{L}\d]/u.test(rest)) return undefined;
  if (named) {
    const lead =
      /^[^\p{L}]*[:.]\s*/u.exec(rest)?.[0].length ??
      /^\s+(?=\p{Lu}{2,}(?:\s|$))/u.exec(rest)?.[0].length ??
      (from <= MAX_LABEL ? leadOfName(rest) : -1);
    if (lead < 0 || isLabelText(rest.slice(lead))) return undefined;
    const found = read(rest.slice(lead));
    return found ? placed(cell, found, from + lead) : undefined;
  }
  const found = read(rest);
  return found && found.index < 45 ? placed(cell, found, from) : undefined;
}

/** "Name Suresh Patil": two words with capitals behind a short label. */
const MAX_LABEL = 12;
const leadOfName = (rest: string): number => /^\s+(?=(?:\p{Lu}\p{Ll}+\s?){2,4}$)/u.exec(rest)?.[0].length ?? -1;

/** In the next cell of the line. */
function besideOf(cells: Cell[], cell: Cell, from: number, read: Reader, named: boolean): Place | undefined {
  if (/[\p{L}\d]{2}/u.test(cell.text.slice(from)) && !/:\s*$/.test(cell.text)) return undefined;
  const next = cells.find((other) => other.line === cell.line && other.bbox.x > cell.bbox.x);
  if (!next || (named && isLabelText(next.text))) return undefined;
  // A header over a column: the value is under it, and the next cell is another header.
  const reach = next.bbox.x - (cell.bbox.x + cell.bbox.width) < cell.bbox.height * 6;
  const found = reach ? read(next.text) : undefined;
  return found && found.index <= 2 ? placed(next, found, 0) : undefined;
}

/** In the nearest cell under the label that isn't a label itself. */
function underOf(cells: Cell[], cell: Cell, read: Reader, named: boolean, offset: number): Place | undefined {
  const { bbox } = cell;
  // A label in the middle of a cell: its column starts where it does.
  const left = bbox.x + (bbox.width * offset) / Math.max(1, cell.text.length);
  const below = cells
    .filter(({ line, bbox: box }) => {
      const gap = box.y - (bbox.y + bbox.height);
      const beneath = line.page === cell.line.page && gap > -bbox.height * 0.5 && gap < bbox.height * BELOW_HEIGHTS;
      return (
        beneath &&
        box.y > bbox.y + bbox.height * 0.4 &&
        box.x < bbox.x + bbox.width + bbox.height &&
        box.x + box.width > left - bbox.height
      );
    })
    .sort((a, b) => a.bbox.y - b.bbox.y + (Math.abs(a.bbox.x - left) - Math.abs(b.bbox.x - left)) / 4);
  for (const candidate of below.slice(0, 3)) {
    if (isLabelText(candidate.text) && named) continue;
    const found = read(candidate.text);
    if (found && (!named || found.length > 1))
      return named ? wrapped(cells, candidate, found, read) : placed(candidate, found, 0);
  }
  return undefined;
}

/** A name goes on in the cell right under it, flush with it and printed alike: two surnames, long given names. */
function wrapped(cells: Cell[], cell: Cell, found: Found<string>, read: Reader): Place {
  const first = placed(cell, found, 0);
  const next = cells
    .filter(({ line, bbox }) => {
      const pitch = bbox.y - cell.bbox.y;
      const near = pitch > cell.bbox.height * 0.6 && pitch < cell.bbox.height * WRAP_HEIGHTS;
      return line.page === cell.line.page && near && Math.abs(bbox.x - cell.bbox.x) < bbox.height * 0.6;
    })
    .sort((one, other) => one.bbox.y - other.bbox.y)[0];
  const more = next && !isLabelText(next.text) && next.text === next.text.toUpperCase() ? read(next.text) : undefined;
  return next && more
    ? { ...first, value: `${first.value} ${more.value}`, words: [...first.words, ...next.words] }
    : first;
}

function placed(cell: Cell, found: Found<string>, from: number): Place {
  const line = { ...cell.line, words: cell.words };
  const words = wordsAt(line, from + found.index, found.length);
  return { value: found.value, words: words.length > 0 ? words : cell.words, page: cell.line.page };
}
