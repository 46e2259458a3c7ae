import { type Line, textOf } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import type { ColumnKind } from './column-kind.ts';
import { headingKind, LONGEST_HEADING } from './headings.ts';

export interface Column {
  kind: ColumnKind;
  left: number;
  right: number;
  heading: string;
}

export interface Header {
  columns: Column[];
  page: number;
  /** Index, among the lines searched, of the first line of the heading and of the first line behind it. */
  from: number;
  until: number;
}

/** What a table must have to be one of the wanted kind. */
export type HeaderTest = (kinds: ReadonlySet<ColumnKind>) => boolean;

interface Phrase {
  words: Word[];
  kind: ColumnKind | undefined;
  /** It is all that stands in its cell. */
  alone: boolean;
}

/** A heading of several lines: so many above and below its fullest one. */
const LINES_AROUND = 2;
/** In heights of its text: a wider gap parts the heading from what follows. */
const MAX_LINE_GAP = 1.1;

/** The heading row at a line, with the lines of wrapped headings above and below; undefined where there is none. */
export function headerAt(lines: Line[], index: number, accepts: HeaderTest): Header | undefined {
  const first = phrasesOf(lines[index]!);
  if (knownIn(first) === 0 || hasFigures(lines[index]!)) return undefined;
  if (knownIn(first) >= 2 && !isProse(first) && accepts(kindsOf(first))) return wrapped(lines, fullest(lines, index));
  const next = lines.slice(index + 1, index + 1 + LINES_AROUND);
  if (next.some((line) => accepts(kindsOf(phrasesOf(line))))) return undefined;
  // A heading that is spread over lines: none of them says enough on its own.
  const wide = wrapped(lines, index);
  const known = wide.columns.filter((column) => column.kind !== 'other');
  const enough = known.length >= 3 && known.length * 2 > wide.columns.length && !isProse(first);
  return wide.until - wide.from > 1 && enough && accepts(new Set(known.map((column) => column.kind)))
    ? wide
    : undefined;
}

const knownIn = (phrases: Phrase[]): number => phrases.filter((phrase) => phrase.kind !== undefined).length;

/** Of the lines of a heading, the one with the most columns: the others wrap around it. */
function fullest(lines: Line[], index: number): number {
  let best = index;
  for (let i = index + 1; i <= index + LINES_AROUND && i < lines.length && joins(lines[i]!, lines[i - 1]!); i++) {
    if (knownIn(phrasesOf(lines[i]!)) > knownIn(phrasesOf(lines[best]!))) best = i;
  }
  return best;
}

const kindsOf = (phrases: Phrase[]): Set<ColumnKind> =>
  new Set(phrases.flatMap((phrase) => (phrase.kind === undefined ? [] : [phrase.kind])));

/** Splits a line into headings, longest match first; what is no heading stays in phrases of its own. */
function phrasesOf(line: Line): Phrase[] {
  const phrases: Phrase[] = [];
  for (const segment of line.segments) {
    const { words } = segment;
    const first = phrases.length;
    let loose: Word[] = [];
    const close = (): void => {
      if (loose.length > 0) phrases.push({ words: loose, kind: undefined, alone: false });
      loose = [];
    };
    for (let i = 0; i < words.length;) {
      const taken = longestHeading(words, i);
      if (taken) {
        close();
        phrases.push(taken);
        i += taken.words.length;
      } else loose.push(words[i++]!);
    }
    close();
    const joined = joinNear(phrases.splice(first));
    phrases.push(...joined.map((phrase) => ({ ...phrase, alone: joined.length === 1 })));
  }
  return phrases;
}

/** In heights of the letters: words nearer than that are of one heading, though we know only a part of it. */
const WORD_GAP = 0.55;

/** "Work done", "Discriminação dos serviços": words behind a heading, or two of one kind, are one heading. */
function joinNear(phrases: Phrase[]): Phrase[] {
  const joined: Phrase[] = [];
  for (const phrase of phrases) {
    const last = joined.at(-1);
    const gap = last ? leftOf(phrase.words) - rightOf(last.words) : Infinity;
    const near = gap < WORD_GAP * (phrase.words[0]?.bbox.height ?? 0);
    const isTail = phrase.kind === undefined && phrase.words.every((word) => /^\p{L}[\p{L}'’.]*$/u.test(word.text));
    if (last?.kind === 'description' && near && (isTail || phrase.kind === last.kind))
      last.words = [...last.words, ...phrase.words];
    else joined.push(phrase);
  }
  return joined;
}

function longestHeading(words: Word[], from: number): Phrase | undefined {
  for (let count = Math.min(LONGEST_HEADING, words.length - from); count > 0; count--) {
    const taken = words.slice(from, from + count);
    const text = textOf(taken);
    if (text.length > 40) continue;
    const kind = headingKind(text);
    if (kind !== undefined) return { words: taken, kind, alone: false };
  }
  return undefined;
}

const CELL_WORDS = 3;

/** A sentence with "price" or "date" in it has more other words than headings. */
function isProse(phrases: Phrase[]): boolean {
  const known = phrases.filter((phrase) => phrase.kind !== undefined);
  // A few words in a cell of their own are a heading that we don't know, and no part of a sentence.
  const isCell = ({ alone, words }: Phrase): boolean => alone && words.length <= CELL_WORDS && known.length >= 3;
  const unknown = phrases.filter((phrase) => phrase.kind === undefined && !isCell(phrase));
  const unknownWords = unknown.flatMap((phrase) => phrase.words);
  const letters = unknownWords.filter((word) => /\p{L}{2}/u.test(word.text)).length;
  return letters > Math.max(2, known.length * 0.6) || phrases.some((phrase) => phrase.words.at(-1)!.text.endsWith(':'));
}

/** Rows have figures, headings have none but a rate or a unit: "VAT 20%", "€/m3". */
const hasFigures = (line: Line): boolean =>
  /\d/.test(line.text.replace(/\d+(?:[.,]\d+)?\s?%|(?<![\p{L}\d])(?:m|cm|ft)[23](?!\d)/gu, ''));

const leftOf = (words: Word[]): number => Math.min(...words.map((word) => word.bbox.x));
const rightOf = (words: Word[]): number => Math.max(...words.map((word) => word.bbox.x + word.bbox.width));

interface Stack {
  lines: Word[][];
  /** What each of the lines names, where it names anything. */
  kinds: (ColumnKind | undefined)[];
  kind: ColumnKind | undefined;
}

function wrapped(lines: Line[], index: number): Header {
  const stacks: Stack[] = phrasesOf(lines[index]!).map((phrase) => ({
    lines: [phrase.words],
    kinds: [phrase.kind],
    kind: phrase.kind,
  }));
  let from = index;
  let until = index + 1;
  for (let i = index - 1; i >= Math.max(0, index - LINES_AROUND) && joins(lines[i]!, lines[i + 1]!); i--) {
    if (isTitle(lines[i]!, lines[index]!)) break;
    addLine(stacks, phrasesOf(lines[i]!), true);
    from = i;
  }
  for (let i = index + 1; i < Math.min(lines.length, index + 1 + LINES_AROUND); i++) {
    if (!joins(lines[i]!, lines[i - 1]!)) break;
    addLine(stacks, phrasesOf(lines[i]!), false);
    until = i + 1;
  }
  const columns = stacks.map((stack): Column => {
    const words = stack.lines.flat();
    const text = textOf(words);
    const kind = headingKind(text) ?? stack.kind ?? stack.kinds.find(Boolean);
    return { kind: kind ?? 'other', left: leftOf(words), right: rightOf(words), heading: text };
  });
  return { columns: settle(columns), page: lines[index]!.page, from, until };
}

/** One phrase over the first column is the title of the table: "Deposits". */
const isTitle = (line: Line, main: Line): boolean =>
  line.segments.length === 1 && Math.abs(line.bbox.x - main.bbox.x) < main.bbox.height * 2;

/** A second line of headings: close by, without figures, and of headings, signs and currencies only. */
function joins(line: Line, neighbour: Line): boolean {
  if (line.page !== neighbour.page || hasFigures(line)) return false;
  const height = Math.min(line.bbox.height, neighbour.bbox.height);
  const [upper, lower] = line.bbox.y < neighbour.bbox.y ? [line, neighbour] : [neighbour, line];
  if (lower.bbox.y - (upper.bbox.y + upper.bbox.height) > height * MAX_LINE_GAP) return false;
  const phrases = phrasesOf(line);
  const known = phrases.filter((phrase) => phrase.kind !== undefined || isMark(phrase.words));
  return known.length >= 1 && known.length * 2 >= phrases.length;
}

const isMark = (words: Word[]): boolean =>
  words.every((word) =>
    /^[([]?(?:[%€$£]|[A-Z]{3}|RM|ht|ttc|netto?|brutto|in|excl\.?|incl\.?|each)[)\]]?$/i.test(word.text),
  );

/** Puts the words of another line over or under the headings that they stand with. */
function addLine(stacks: Stack[], phrases: Phrase[], above: boolean): void {
  for (const phrase of phrases) {
    const left = leftOf(phrase.words);
    const right = rightOf(phrase.words);
    const overlap = (stack: Stack): number =>
      Math.min(right, rightOf(stack.lines.flat())) - Math.max(left, leftOf(stack.lines.flat()));
    const home = stacks.filter((stack) => overlap(stack) > 0).sort((a, b) => overlap(b) - overlap(a))[0];
    if (home) {
      home.lines = above ? [phrase.words, ...home.lines] : [...home.lines, phrase.words];
      home.kinds = above ? [phrase.kind, ...home.kinds] : [...home.kinds, phrase.kind];
    } else if (phrase.kind !== undefined)
      stacks.push({ lines: [phrase.words], kinds: [phrase.kind], kind: phrase.kind });
  }
}

/** Of what was ordered and what was delivered, the latter is what a note is for. */
const DELIVERED =
  /deliver|ship|despatch|dispatch|drop|supplied|\bsent|geliefert|livr|entreg|consegn|gelever|lever|toimitettu/i;

/** Left to right, each kind once: of two descriptions the first is a code, of two totals the last is the total. */
function settle(columns: Column[]): Column[] {
  const ordered = [...columns].sort((a, b) => a.left - b.left);
  const of = (kind: ColumnKind): Column[] => ordered.filter((column) => column.kind === kind);
  const descriptions = of('description');
  if (descriptions.length > 1) {
    const main =
      descriptions.find((c) => /desc|bezeich|besch|d[ée]sign|libell|omschr|concept|detail|partic/i.test(c.heading)) ??
      descriptions[0]!;
    for (const column of descriptions) {
      if (column === main) continue;
      const code = column.left < main.left && of('sku').length === 0 && of('date').length === 0;
      column.kind = code ? 'sku' : 'other';
    }
  }
  const rates = of('tax_rate');
  if (rates.length > 1) rates.at(-1)!.kind = of('tax').length === 0 ? 'tax' : 'other';
  for (const kind of ['total', 'quantity', 'unit_price', 'gross', 'sku', 'reference', 'date', 'amount'] as const) {
    const same = of(kind);
    const delivered = kind === 'quantity' ? same.find((column) => DELIVERED.test(column.heading)) : undefined;
    const kept = kind === 'total' ? same.at(-1) : (delivered ?? same[0]);
    for (const column of same) if (column !== kept) column.kind = 'other';
  }
  return ordered;
}
