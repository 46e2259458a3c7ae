import type { Line } from '../../layout/lines.ts';
import { numberTokens } from '../../tables/numbers.ts';
import type { ExtractionField, Word } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import { roundCents, sameAmount } from '../../values/money.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { labelMatches } from '../labels.ts';
import type { Settled } from './settle.ts';
import { CLOSING_LABEL, CREDITS_LABEL, DEBITS_LABEL, OPENING_LABEL } from './vocabulary.ts';

export interface LabelledAmount {
  amount: number;
  words: Word[];
  page: number;
  /** Beside its label, not under it. */
  beside: boolean;
}

/** Amounts that stand right of a label, or under it. Dates are no amounts. */
export function labelledAmounts(context: ExtractContext, label: RegExp): LabelledAmount[] {
  return context.lines.flatMap((line, position) =>
    labelMatches(line.text, label).flatMap((match) => {
      const words = wordsAt(line, match.index, match.length);
      const at = line.words.indexOf(words.at(-1)!) + 1;
      const beside = amountsIn(context, line, line.words.slice(at));
      const found = beside[0] ?? below(context, position, words);
      return found ? [{ ...found, page: line.page, beside: beside.length > 0 }] : [];
    }),
  );
}

function amountsIn(context: ExtractContext, line: Line, words: Word[]): { amount: number; words: Word[] }[] {
  const dated = new Set(findDates(line.text, context.dateOrder).flatMap((d) => wordsAt(line, d.index, d.length)));
  return numberTokens(
    words.filter((word) => !dated.has(word)),
    context.decimal,
  )
    .filter((token) => token.exact && !token.percent)
    .map((token) => ({
      amount: token.side === 'debit' ? -Math.abs(token.amount) : token.amount,
      words: token.words,
    }));
}

function below(
  context: ExtractContext,
  position: number,
  label: Word[],
): { amount: number; words: Word[] } | undefined {
  const line = context.lines[position]!;
  const left = label[0]!.bbox.x;
  const right = label.at(-1)!.bbox.x + label.at(-1)!.bbox.width;
  for (const next of context.lines.slice(position + 1, position + 3)) {
    if (next.page !== line.page || next.bbox.y - (line.bbox.y + line.bbox.height) > line.bbox.height * 2)
      return undefined;
    const amounts = amountsIn(context, next, next.words);
    const under = amounts.find(({ words }) => {
      const from = words[0]!.bbox.x;
      const until = words.at(-1)!.bbox.x + words.at(-1)!.bbox.width;
      return from < right + line.bbox.height && until > left - line.bbox.height;
    });
    // A line with nothing but the amount goes on where the label's line ended.
    if (under) return under;
    if (amounts.length === 1 && next.words.length === amounts[0]!.words.length) return amounts[0];
  }
  return undefined;
}

/** Opening and closing balance: labelled amounts that the movements lead from and to, else the labels, else the rows. */
export function balanceFields(context: ExtractContext, settled: Settled[]): Record<string, ExtractionField> {
  const opening = labelledAmounts(context, OPENING_LABEL);
  const closing = labelledAmounts(context, CLOSING_LABEL).filter(
    ({ words }) => !opening.some((o) => o.words[0] === words[0]),
  );
  const moved = roundCents(settled.reduce((sum, { amount }) => sum + amount, 0));
  const fields: Record<string, ExtractionField> = {};
  const pair =
    settled.length === 0
      ? undefined
      : opening
          .flatMap((from) => closing.map((to) => ({ from, to })))
          .find(({ from, to }) => sameAmount(from.amount + moved, to.amount, 0.011));
  const rows = edges(settled);
  const put = (
    name: string,
    found: LabelledAmount | undefined,
    row: LabelledAmount | undefined,
    proven: boolean,
  ): void => {
    const agreed = proven || (found && row && sameAmount(found.amount, row.amount, 0.011));
    if (found)
      fields[name] = fieldOf(found.amount, found.words, found.page, agreed ? 0.985 : found.beside ? 0.88 : 0.8);
    else if (row)
      fields[name] = {
        ...fieldOf(row.amount, row.words, row.page, 0.75),
        ...(row.words.length === 0 ? { bbox: null } : {}),
      };
  };
  const fits = (list: LabelledAmount[], row: LabelledAmount | undefined): LabelledAmount | undefined =>
    list.find((one) => row && sameAmount(one.amount, row.amount, 0.011)) ?? list[0];
  put('opening_balance', pair?.from ?? fits(opening, rows.first), rows.first, pair !== undefined);
  put('closing_balance', pair?.to ?? fits(closing, rows.last), rows.last, pair !== undefined);
  return fields;
}

/** What the running balance says: before the first entry and after the last, whichever way they are listed. */
function edges(settled: Settled[]): { first?: LabelledAmount; last?: LabelledAmount } {
  const proven = settled.filter((item) => item.balance !== undefined);
  if (proven.length === 0 || proven.length < settled.length) return {};
  const reversed = isReversed(settled);
  const ordered = reversed ? [...settled].reverse() : settled;
  const first = ordered[0]!;
  const last = ordered.at(-1)!;
  const words = last.entry.balance?.words ?? [];
  return {
    first: { amount: roundCents(first.balance! - first.amount), words: [], page: first.entry.row.page, beside: true },
    last: { amount: last.balance!, words, page: last.entry.row.page, beside: true },
  };
}

function isReversed(settled: Settled[]): boolean {
  let forward = 0;
  let backward = 0;
  for (const [index, item] of settled.entries()) {
    const next = settled[index + 1];
    if (item.balance === undefined || next?.balance === undefined) continue;
    if (sameAmount(item.balance + next.amount, next.balance, 0.011)) forward++;
    if (sameAmount(next.balance + item.amount, item.balance, 0.011)) backward++;
  }
  return backward > forward;
}

/** Sums of what came in and what went out: as printed, or added up where the balances prove the rows. */
export function turnoverFields(context: ExtractContext, settled: Settled[]): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const proven = settled.length > 1 && settled.filter((item) => item.proven).length >= settled.length - 1;
  for (const [name, label, sign] of [
    ['total_credits', CREDITS_LABEL, 1],
    ['total_debits', DEBITS_LABEL, -1],
  ] as const) {
    const sum = roundCents(settled.reduce((total, { amount }) => total + Math.max(0, sign * amount), 0));
    const rows = new Set(settled.flatMap(({ entry }) => entry.row.lines.flatMap((line) => line.words)));
    const printed = labelledAmounts(context, label).filter(({ words }) => !words.some((word) => rows.has(word)));
    const agreed = printed.find(({ amount }) => sameAmount(Math.abs(amount), sum, 0.011));
    const best = agreed ?? printed[0];
    if (best && (agreed || !proven))
      fields[name] = fieldOf(Math.abs(best.amount), best.words, best.page, agreed ? 0.97 : 0.7);
    else if (proven) fields[name] = { value: sum, confidence: 0.85, bbox: null };
  }
  return fields;
}
