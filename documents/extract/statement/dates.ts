import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { completeDate, findDates, partialDateAt } from '../../values/dates.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { type LabelledValue, labelledValues, type ValueReader } from '../labels.ts';

export interface Period {
  start: string;
  end: string;
  line: Line;
  /** The line says that it is the period. */
  named: boolean;
}

const CONNECTOR = String.raw`to|until|till|through|thru|bis(?: zum)?|au|al|tot(?: en met)?|t\/m|a|até|ate|til|hasta|and|do`;
const GLUED = new RegExp(String.raw`(?<=\d)(${CONNECTOR})(?=[\p{L}\d])`, 'giu');
const BETWEEN = new RegExp(String.raw`^[\s.,;:]*(?:(?:${CONNECTOR})|[-–—]+)[\s.:]*(?:the\s)?$`, 'iu');
const NAMED =
  /period|zeitraum|p[ée]riode|per[íi]odo|periodo|tydperk|from\b|vom\b|\bdu\b|\bdel\b|\bdal\b|\bvan\b|statement (?:for|dates?)/i;
/** Lines of the head of a statement; the rows have dates too. */
const HEAD_LINES = 45;

/** The period that a statement covers: two dates with "to" between them, of which the first may lack its year. */
export function findPeriod(context: ExtractContext): Period | undefined {
  const found = context.lines.slice(0, HEAD_LINES).flatMap((line) => periodOf(line, context) ?? []);
  return found.find((period) => period.named) ?? found[0];
}

function periodOf(line: Line, context: ExtractContext): Period | undefined {
  const text = line.text.replace(GLUED, ' $1 ').replace(/:(?=\p{L})/gu, ': ');
  const dates = findDates(text, context.dateOrder);
  const named = NAMED.test(text);
  for (const [index, end] of dates.entries()) {
    const start = dates[index - 1];
    const between = start ? text.slice(start.index + start.length, end.index) : '';
    if (start && BETWEEN.test(between) && start.iso < end.iso) return { start: start.iso, end: end.iso, line, named };
    const before = text.slice(0, end.index);
    const short = start ? undefined : shortStart(before, end.iso, context);
    if (short !== undefined && short < end.iso) return { start: short, end: end.iso, line, named };
  }
  return undefined;
}

/** "26 January to" before a full date. */
function shortStart(before: string, end: string, context: ExtractContext): string | undefined {
  const cut = new RegExp(String.raw`[\s.,]*(?:${CONNECTOR}|[-–—])\s*$`, 'iu').exec(before);
  if (!cut) return undefined;
  const words = before.slice(0, cut.index).trim().split(/\s+/);
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const partial = partialDateAt(words.slice(-count).join(' '), context.dateOrder);
    if (partial) return completeDate(partial, end);
  }
  return undefined;
}

/** Folded: no accents. */
const DATE_TIERS: { label: RegExp; certainty: number }[] = [
  {
    label:
      /(?<!\p{L})(?:statement (?:issue )?date|date of (?:the )?statement|statement issued(?: on)?|statement as (?:of|at)|(?:konto)?auszug(?:sdatum)?(?: vom| per)?|auszugsdatum|date (?:du|de l'?) ?(?:releve|extrait)|fecha (?:del? )?(?:extracto|estado(?: de cuenta)?)|data (?:dell'?|do |del )?(?:estratto(?: conto)?|extrato)|datum (?:afschrift|rekeningafschrift|overzicht)|afschriftdatum|staatdatum|datum van staat)/iu,
    certainty: 0.97,
  },
  {
    label:
      /(?<!\p{L})(?:date (?:issued|prepared|printed|of issue)|issued?(?: date| on)?|issue date|as (?:at|of|on)|prepared on|print date|erstellt am|ausgestellt am|stand(?: vom)?|per|emis le|edite le|arrete au|emitido(?: el| em)?|emesso il|uitgereik(?: op)?|opgesteld op|stichtag|datum per)(?!\p{L})/iu,
    certainty: 0.9,
  },
  { label: /(?<!\p{L})(?:date|datum|fecha|data|dato|tarikh)(?!\p{L})/iu, certainty: 0.82 },
];

/** The day that the statement was made: labelled, else the end of its period, else the date at the head of its first page. */
export function statementDate(context: ExtractContext, period: Period | undefined): ExtractionField | undefined {
  const head = context.lines.slice(0, HEAD_LINES);
  const read: ValueReader<string> = (text) => {
    const date = findDates(text.slice(0, 40), context.dateOrder)[0];
    return date && date.index <= 4 ? { value: date.iso, index: date.index, length: date.length } : undefined;
  };
  const inPeriod = (found: LabelledValue<string>): boolean => found.line === period?.line;
  for (const { label, certainty } of DATE_TIERS) {
    const found = labelledValues(head, label, read).filter((value) => !inPeriod(value) && !isRowDate(value));
    const best = found.find(({ place }) => place === 'right') ?? found[0];
    if (best) return fieldOf(best.value, best.words, best.page, certainty);
  }
  if (period) return fieldOf(period.end, period.line.words, period.line.page, 0.75);
  const top = head
    .slice(0, 15)
    .find((line) => line.page === head[0]?.page && findDates(line.text, context.dateOrder).length === 1);
  const date = top && findDates(top.text, context.dateOrder)[0];
  return top && date ? fieldOf(date.iso, top.words, top.page, 0.65) : undefined;
}

/** The heading of a column of dates with the date of the first row under it. */
const isRowDate = (found: LabelledValue<string>): boolean =>
  found.place === 'below' && /\d[.,]\d{2}\b/.test(found.line.text.replace(/\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/g, ''));
