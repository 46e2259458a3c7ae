import type { Line } from '../layout/lines.ts';
import { textOf } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import { type DecimalMark, type Money, parseMoney } from '../values/money.ts';
import { repairLabel } from './vocabulary.ts';

/** An amount on the page with the label that stands before it. */
export interface AmountCandidate extends Money {
  words: Word[];
  line: Line;
  page: number;
  /** Repaired, lower case: what stands left of it, or above it where it stands alone. */
  label: string;
  /** The label is on the amount's own line. */
  sameLine: boolean;
  /** It is the last amount of its line. */
  last: boolean;
  percent: boolean;
}

const CURRENCY_WORD = /^(?:RM|MYR|EUR|USD|GBP|ZAR|SGD|CHF|AUD|INR|R|Rs\.?|Rp\.?|[€£$¥₹₦฿₱]|[A-Z]{1,3}\$)\s?:?$/;

export function findAmounts(lines: Line[], decimal: DecimalMark): AmountCandidate[] {
  return lines.flatMap((line, position) => amountsOfLine(line, lines, position, decimal));
}

function amountsOfLine(line: Line, lines: Line[], position: number, decimal: DecimalMark): AmountCandidate[] {
  const found: AmountCandidate[] = [];
  for (let i = 0; i < line.words.length; i++) {
    const group = amountWords(line.words, i, decimal);
    if (!group) continue;
    const before = line.words.slice(0, i - group.lead - (group.hasCurrency ? 1 : 0));
    const own = ownLabel(before, found.at(-1));
    const sameLine = /\p{L}{2}/u.test(own);
    found.push({
      ...group.money,
      words: group.words,
      line,
      page: line.page,
      label: repairLabel(sameLine ? own : `${own} ${labelAbove(lines, position, group.words)}`),
      sameLine,
      last: false,
      percent: /^%/.test(line.words[i + 1]?.text ?? '') || group.words.some((word) => word.text.includes('%')),
    });
  }
  const final = found.at(-1);
  if (final) final.last = true;
  return found;
}

/** The text since the last amount of the line; the whole text before where nothing stands between. */
function ownLabel(before: Word[], previous: AmountCandidate | undefined): string {
  if (previous?.exact && !previous.percent) {
    const since = before.slice(before.indexOf(previous.words.at(-1)!) + 1);
    if (/\p{L}{3}/u.test(textOf(since))) return textOf(since);
  }
  return textOf(before);
}

interface AmountGroup {
  /** Words before the one at the index that belong to the amount: the thousands of "1 250,00". */
  lead: number;
  words: Word[];
  money: Money;
  hasCurrency: boolean;
}

function amountWords(words: Word[], index: number, decimal: DecimalMark): AmountGroup | undefined {
  const word = words[index]!;
  const previous = words[index - 1];
  const repaired = index === words.length - 1 && index > 0 ? repairMark(word.text, words) : word.text;
  const money = parseMoney(repaired.replace(/%$/, ''), decimal) ?? splitAmount(word, words[index + 1], decimal);
  if (!money) return undefined;
  const hasCurrency = previous !== undefined && CURRENCY_WORD.test(previous.text);
  const thousands = previous && joinThousands(previous, word, decimal);
  if (thousands) {
    const sign = words[index - 2];
    return {
      words: [previous, word],
      money: thousands,
      lead: 1,
      hasCurrency: sign !== undefined && CURRENCY_WORD.test(sign.text),
    };
  }
  return { words: [word], money, hasCurrency, lead: 0 };
}

/** "4 355,86" or "4, 355.86": a gap too narrow for a column. */
function joinThousands(previous: Word, word: Word, decimal: DecimalMark): Money | undefined {
  if (!/^\D{0,3}\d{1,3}[.,]?$/.test(previous.text) || !/^\d{3}(?:[.,]\d{2})\D{0,2}$/.test(word.text)) return undefined;
  const gap = word.bbox.x - (previous.bbox.x + previous.bbox.width);
  if (gap > word.bbox.height * (/[.,]$/.test(previous.text) ? 0.7 : 0.3)) return undefined;
  return parseMoney(previous.text.replace(/[.,]$/, '') + word.text, decimal);
}

/** A worn decimal point at the end of a line is read as a dash or a colon: "52-00", "0:00"; beside a date it is a time. */
function repairMark(text: string, line: Word[]): string {
  const match = /^(\D{0,3}\d{1,6})([-:])(\d{2})$/.exec(text);
  if (!match || (match[2] === ':' && TIME_OF_DAY.test(textOf(line.slice(0, -1))))) return text;
  return `${match[1]!}.${match[3]!}`;
}

const TIME_OF_DAY =
  /\d[-/.]\d|\b(?:time|zeit|uhrzeit|heure|hora|ora|tijd|tyd|masa|am|pm|open|close|from|to)\b|20\d\d|^[^\p{L}]*$/iu;

/** "7 00" or "7. 00": the fraction was torn off its amount. */
function splitAmount(word: Word, next: Word | undefined, decimal: DecimalMark): Money | undefined {
  if (!next || !/^\d{2}$/.test(next.text) || !/^\D{0,3}\d{1,5}[.,]$/.test(word.text)) return undefined;
  return parseMoney(`${word.text.slice(0, -1)}${decimal}${next.text}`, decimal);
}

/** What stands above an amount: the cell of its column, or the line above when that has no amount of its own. */
function labelAbove(lines: Line[], position: number, words: Word[]): string {
  const line = lines[position]!;
  const left = words[0]!.bbox.x;
  const right = words.at(-1)!.bbox.x + words.at(-1)!.bbox.width;
  const above = lines[position - 1];
  if (!above || above.page !== line.page) return '';
  if (line.bbox.y - (above.bbox.y + above.bbox.height) > line.bbox.height * 1.5) return '';
  const cell =
    above.segments.length > 1
      ? above.segments.find((s) => s.bbox.x < right && s.bbox.x + s.bbox.width > left)
      : undefined;
  if (cell && /\p{L}{3}/u.test(cell.text)) return cell.text;
  return /\d[.,]\d{2}\b/.test(above.text) ? '' : above.text;
}
