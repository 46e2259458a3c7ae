import type { Line } from '../../layout/lines.ts';
import type { Word } from '../../types.ts';
import { currencyIn, type DecimalMark, type Money, parseMoney } from '../../values/money.ts';
import { fold } from '../labels.ts';
import { repairLabel } from '../vocabulary.ts';
import { isCurrencyCode } from './countries.ts';
import { type AmountRole, roleOf } from './roles.ts';

/** An amount with the words that say what it is. */
export interface Candidate extends Money {
  words: Word[];
  line: Line;
  page: number;
  /** Folded and repaired: what stands left of it, level with it, or over its column. */
  label: string;
  role: AmountRole;
  /** Left of it on its line; level with it on a line that OCR tore off; above it in its column. */
  place: 'line' | 'level' | 'above';
  /** The last amount of its line. */
  last: boolean;
}

const CURRENCY_SIGN = /^(?:RM|R|Rs\.?|Rp\.?|kr\.?|zł|[€£$¥₹₦฿₱]|[A-Z]{1,3}\$)\s?:?$/;
const isCurrencyWord = (text: string): boolean => CURRENCY_SIGN.test(text) || isCurrencyCode(text.replace(/:$/, ''));
/** Spaces that typesetters put between thousands: no-break, thin, narrow no-break. */
const THIN_SPACES = /[\u00a0\u2009\u202f\u2007]/g;
const HEADER_REACH = 14;

/** Every amount of the document that is no percentage, with its role. */
export function findCandidates(lines: Line[], decimal: DecimalMark): Candidate[] {
  const found = lines.map((line) => amountsOf(line, decimal));
  return found.flatMap((amounts, position) =>
    amounts.map((amount, index): Candidate => {
      const line = lines[position]!;
      const previous = amounts[index - 1];
      const { label, place } = labelOf(lines, found, position, amount, previous);
      return {
        ...amount.money,
        words: amount.words,
        line,
        page: line.page,
        label,
        role: roleOf(label),
        place,
        last: index === amounts.length - 1,
      };
    }),
  );
}

interface Amount {
  words: Word[];
  money: Money;
  /** Index of its first word, with the currency before it, in the line. */
  start: number;
  end: number;
}

function amountsOf(line: Line, decimal: DecimalMark): Amount[] {
  const found: Amount[] = [];
  for (let i = 0; i < line.words.length;) {
    const amount = amountAt(line.words, i, decimal);
    if (!amount) i++;
    else {
      i = amount.end;
      if (!isPercent(line.words, amount)) found.push(amount);
    }
  }
  return found.filter((amount) => amount.money.exact || isWhole(amount, line));
}

const isPercent = (words: Word[], amount: Amount): boolean =>
  /^%/.test(words[amount.end]?.text ?? '') || amount.words.some((word) => word.text.includes('%'));

/** "Total 1,500" and "Tax 0": whole amounts count at the end of a line of totals, with nothing but words before. */
function isWhole(amount: Amount, line: Line): boolean {
  // "84 000 Ft": the currency may stand behind it.
  if (line.words.slice(amount.end).some((word) => !isCurrencyWord(word.text) && currencyIn(word.text) === undefined))
    return false;
  const before = line.words
    .slice(0, amount.start)
    .map((word) => word.text)
    .join(' ');
  const role = roleOf(fold(before));
  const behind = amount.end < line.words.length;
  const named =
    behind || amount.money.currency !== undefined || /[A-Z]{3}\s*$|:\s*$/.test(before) || amount.money.amount === 0;
  return ['gross', 'total', 'due', 'net', 'tax'].includes(role) && named && !/\d{3}/.test(before);
}

function amountAt(words: Word[], index: number, decimal: DecimalMark): Amount | undefined {
  const joined = joinThousands(words, index, decimal);
  const amount = joined ?? single(words, index, decimal);
  if (!amount) return undefined;
  const before = words[index - 1];
  const hasCurrency = before !== undefined && isCurrencyWord(before.text);
  return { ...amount, start: hasCurrency ? index - 1 : index };
}

function single(words: Word[], index: number, decimal: DecimalMark): Amount | undefined {
  const word = words[index]!;
  const text = word.text.replace(THIN_SPACES, ' ').replace(/^(\D{0,3}\d{1,6})[-:](\d{2})$/, '$1.$2');
  const money = parseMoney(text.replace(/%$/, ''), decimal);
  return money && { words: [word], money, start: index, end: index + 1 };
}

/** "1 284,38", "£3 787.70", "4, 355.86": groups of three digits with gaps too narrow for columns. */
function joinThousands(words: Word[], index: number, decimal: DecimalMark): Amount | undefined {
  if (!/^[^\d\s]{0,3}\d{1,3}[.,]?$/.test(words[index]!.text)) return undefined;
  for (let end = index + 1; end < Math.min(words.length, index + 4); end++) {
    const previous = words[end - 1]!;
    const word = words[end]!;
    const gap = word.bbox.x - (previous.bbox.x + previous.bbox.width);
    // Where the point is no decimal mark, spaces between thousands are usual, and typewritten ones are wide.
    const spaced = decimal === ',' || /^[£€$¥]/.test(words[index]!.text);
    const crowded = isNumberBefore(words, index);
    const wide = /[.,]$/.test(previous.text) || (spaced && !crowded);
    if (gap > word.bbox.height * (wide ? 0.72 : crowded ? 0.4 : 0.5)) return undefined;
    const parts = words.slice(index, end + 1);
    if (/^\d{3}[.,]\d{2}\D{0,3}$/.test(word.text)) {
      const text = parts.map((part) => part.text.replace(/[.,]$/, '')).join('');
      const money = parseMoney(text, decimal);
      return money && { words: parts, money, start: index, end: end + 1 };
    }
    if (!/^\d{3}[.,]?$/.test(word.text)) return undefined;
    const behind = words[end + 1]?.text;
    if (behind !== undefined && /^\D/.test(behind) && currencyIn(`100 ${behind}`) !== undefined) {
      const money = parseMoney(parts.map((part) => part.text).join(''), decimal);
      return money && { words: parts, money, start: index, end: end + 1 };
    }
  }
  return undefined;
}

/** A number stands right before it, in the same cell: which of their digits belong together is not sure. */
function isNumberBefore(words: Word[], index: number): boolean {
  const [before, word] = [words[index - 1], words[index]!];
  if (before === undefined || !/^[\d.,]+$/.test(before.text)) return false;
  return word.bbox.x - (before.bbox.x + before.bbox.width) < word.bbox.height * 1.3;
}

type Label = Pick<Candidate, 'label' | 'place'>;

function labelOf(
  lines: Line[],
  amounts: Amount[][],
  position: number,
  amount: Amount,
  previous: Amount | undefined,
): Label {
  const line = lines[position]!;
  const near = nearestLabel(line, previous ? previous.end : 0, amount.start);
  const level = near?.isFar === false && near.role !== 'none' ? '' : labelLevel(lines, amounts, position, amount);
  if (near && (near.role !== 'none' || level === '' || roleOf(level) === 'none'))
    return { label: near.text, place: 'line' };
  if (level !== '' && roleOf(level) !== 'none') return { label: level, place: 'level' };
  const above = headerAbove(lines, amounts, position, amount);
  // In a row of several amounts the column says which is which.
  if (above !== '' && roleOf(above) !== 'none') return { label: above, place: 'above' };
  const row = previous ? nearestLabel(line, 0, amount.start) : undefined;
  return row ? { label: row.text, place: 'line' } : { label: above || level, place: 'above' };
}

/** "560 pcs" is a number of its own beside the amount, and no label of it. */
const COUNT = /^\d[\d.,]*\s?[a-z]{1,6}\.?$/;
/** Labels further from their amount than this, in heights, may belong to another column. */
const FAR = 22;

/** The nearest cell left of an amount that names it; else the nearest that says anything. */
function nearestLabel(
  line: Line,
  from: number,
  until: number,
): { text: string; role: AmountRole; isFar: boolean } | undefined {
  const words = new Set(line.words.slice(from, until));
  const cells = line.segments
    .map((segment) => segment.words.filter((word) => words.has(word)))
    .filter((cell) => cell.length > 0)
    .map((cell) => ({ text: wordsOfLabel(cell), end: cell.at(-1)!.bbox.x + cell.at(-1)!.bbox.width }))
    .filter(({ text }) => text !== '' && !COUNT.test(text))
    .reverse();
  const best = cells.slice(0, 3).find(({ text }) => roleOf(text) !== 'none') ?? cells[0];
  const start = line.words[until]?.bbox.x ?? line.bbox.x + line.bbox.width;
  return best && { text: best.text, role: roleOf(best.text), isFar: start - best.end > line.bbox.height * FAR };
}

/** The words of a cell without currency codes; empty where they say nothing. */
function wordsOfLabel(words: Word[]): string {
  const text = words
    .map((word) => word.text)
    .filter((word) => !isCurrencyWord(word))
    .join(' ');
  // OCR glues "VAT 5%" and "Total 3 items".
  return /\p{L}{2}/u.test(text) ? repairLabel(fold(text).replace(/(\p{L}{2})(?=\d)/gu, '$1 ')) : '';
}

/** OCR tears a line in two where the page is curved: the label is the text that lies level with the amount. */
function labelLevel(lines: Line[], amounts: Amount[][], position: number, amount: Amount): string {
  const box = amount.words[0]!.bbox;
  const centre = box.y + box.height / 2;
  let best = '';
  let nearest = 1.1;
  for (let i = Math.max(0, position - 3); i < Math.min(lines.length, position + 4); i++) {
    const line = lines[i]!;
    if (i === position || line.page !== lines[position]!.page || (amounts[i]?.length ?? 0) > 0) continue;
    for (const segment of line.segments) {
      const down = Math.abs(segment.bbox.y + segment.bbox.height / 2 - centre) / box.height;
      const across = (box.x - segment.bbox.x - segment.bbox.width) / box.height;
      const text = wordsOfLabel(segment.words);
      const distance = down + across / 30;
      if (text === '' || across < -1 || down > 0.8 || distance >= nearest) continue;
      nearest = distance;
      best = text;
    }
  }
  return best;
}

/** The heading of the amount's column: the nearest words above it that stand over it. */
function headerAbove(lines: Line[], amounts: Amount[][], position: number, amount: Amount): string {
  const line = lines[position]!;
  const left = amount.words[0]!.bbox.x;
  const last = amount.words.at(-1)!.bbox;
  const right = last.x + last.width;
  for (let i = position - 1; i >= Math.max(0, position - HEADER_REACH); i--) {
    const above = lines[i]!;
    if (above.page !== line.page || line.bbox.y - above.bbox.y > line.bbox.height * 25) break;
    const cell = above.segments.find((s) => s.bbox.x < right && s.bbox.x + s.bbox.width > left);
    if (!cell) continue;
    const over = cell.words.filter(
      (word) => word.bbox.x < right + last.height && word.bbox.x + word.bbox.width > left - last.height * 2,
    );
    const text = wordsOfLabel(over);
    const hasAmount = amounts[i]!.some((one) => one.words.some((word) => cell.words.includes(word)));
    if (text !== '' && !hasAmount) return text;
  }
  return '';
}
