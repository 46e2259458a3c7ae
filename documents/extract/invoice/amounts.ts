import type { ExtractionField } from '../../types.ts';
import { roundCents, sameAmount } from '../../values/money.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf, roundConfidence } from '../field.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { taxRate } from './rate.ts';
import { bestSplit, type Split, taxLines } from './split.ts';
import type { AmountRole } from './roles.ts';

const ROLE_SCORE: Partial<Record<AmountRole, number>> = { gross: 5, total: 4, due: 3.4, net: 0.5, none: 0, tax: -3 };
const OTHER_SCORE = -4;
const TOTAL_ROLES = new Set<AmountRole>(['gross', 'total', 'due']);

/**
 * Total, its net and tax, what was taken off and added, and what remains to be paid: by label, and best in a combination
 * that adds up. The amounts of a credit note are what is credited, so they are positive whichever sign it prints.
 */
export function amountFields(context: ExtractContext, type: string): Record<string, ExtractionField> {
  const candidates = likeliest(findCandidates(context.lines, context.decimal));
  const fields: Record<string, ExtractionField> = {};
  const value = (amount: number): number => (type === 'credit_note' ? Math.abs(amount) : amount);
  const put = (name: string, found: Candidate | undefined, certainty: number): void => {
    if (found) fields[name] = fieldOf(value(found.amount), found.words, found.page, certainty * placed(found));
  };
  const choice = chooseTotal(candidates);
  const { total, split, certainty } = choice;
  put('total', total, certainty);
  putSplit(fields, candidates, total, split, value);
  const dues = candidates.filter((a) => a.role === 'due' && a.last);
  // A heading "Due" may stand over a column of dates and amounts: a label beside the amount goes first.
  const due = dues.findLast((a) => a.place !== 'above') ?? dues.at(-1);
  put('amount_due', due ?? total, due ? 0.94 : 0.78);
  put('discount', lastOf(candidates, 'discount', split?.discount), split?.discount === undefined ? 0.72 : 0.93);
  put('shipping', lastOf(candidates, 'shipping', split?.shipping), split?.shipping === undefined ? 0.72 : 0.93);
  put('amount_paid', lastOf(candidates, 'paid'), 0.75);
  // Taken off or already paid: printed with and without a minus, it is the same amount.
  for (const name of ['discount', 'amount_paid']) {
    const field = fields[name];
    if (typeof field?.value === 'number') field.value = Math.abs(field.value);
  }
  put('previous_balance', lastOf(candidates, 'previous'), 0.8);
  const rate = taxRate(context.lines, fields, split);
  if (rate && fields['tax']) {
    fields['tax'].tax_rate = rate.value as number;
    fields['tax_rate'] = rate;
  }
  return fields;
}

/**
 * Every amount is tried as total with every other as net and as tax: a thousand rows of items would take minutes. Of
 * more than these, those that a label beside them names stay, then the last ones: sums stand under what they sum up.
 */
const MOST_CANDIDATES = 250;

function likeliest(candidates: Candidate[]): Candidate[] {
  if (candidates.length <= MOST_CANDIDATES) return candidates;
  const isNamed = (a: Candidate): boolean => a.role !== 'none' && a.place !== 'above';
  const ordered = [...candidates.filter((a) => !isNamed(a)), ...candidates.filter(isNamed)];
  const kept = new Set(ordered.slice(-MOST_CANDIDATES));
  return candidates.filter((a) => kept.has(a));
}

/** A label on the amount's own line is better evidence than a heading above its column. */
const placed = (found: Candidate): number => (found.place === 'line' ? 1 : found.place === 'level' ? 0.97 : 0.94);

function putSplit(
  fields: Record<string, ExtractionField>,
  candidates: Candidate[],
  total: Candidate | undefined,
  split: Split | undefined,
  value: (amount: number) => number,
): void {
  if (!total) return;
  const net = split?.net ?? byRole(candidates, 'net', total);
  const taxes = split?.taxes ?? taxLines(candidates, total);
  if (taxes.length > 0) {
    const sum = roundCents(taxes.reduce((all, tax) => all + tax.amount, 0));
    const words = taxes.flatMap((tax) => tax.words);
    fields['tax'] = fieldOf(value(sum), words, taxes[0]!.page, split ? 0.96 : 0.72);
  }
  if (net) fields['subtotal'] = fieldOf(value(net.amount), net.words, net.page, split ? 0.96 : 0.72);
  else {
    // Not printed: what is left of the total without its tax.
    const tax = fields['tax']?.value;
    const rest = roundCents(Math.abs(total.amount) - (typeof tax === 'number' ? Math.abs(tax) : 0));
    const signed = value(total.amount) < 0 ? -rest : rest;
    fields['subtotal'] = { value: signed, confidence: roundConfidence(fields['tax'] ? 0.75 : 0.58), bbox: null };
  }
}

interface Choice {
  total?: Candidate;
  split?: Split;
  certainty: number;
}

function chooseTotal(candidates: Candidate[]): Choice {
  const pool = candidates.filter((a) => a.amount !== 0 || TOTAL_ROLES.has(a.role));
  const labelled = pool.filter((a) => TOTAL_ROLES.has(a.role)).map((a) => Math.abs(a.amount));
  const largest = Math.max(0, ...labelled);
  const scored = pool
    .map((a) => {
      const split = a.amount === 0 ? undefined : bestSplit(candidates, a);
      return { total: a, split, score: totalScore(a, candidates, split, largest) };
    })
    .sort((x, y) => y.score - x.score || y.total.line.index - x.total.line.index);
  const best = scored[0];
  if (!best || best.score < -2) return { certainty: 0 };
  const rival = scored.find((other) => !sameAmount(other.total.amount, best.total.amount));
  const lead = rival ? best.score - rival.score : 3;
  const certainty = Math.min(0.98, 0.4 + 0.06 * Math.max(0, best.score) + 0.05 * Math.min(2.4, lead));
  return { total: best.total, certainty, ...(best.split ? { split: best.split } : {}) };
}

function totalScore(a: Candidate, all: Candidate[], split: Split | undefined, largest: number): number {
  const repeats = all.filter((b) => b !== a && sameAmount(b.amount, a.amount) && b.role !== 'none').length;
  return (
    (ROLE_SCORE[a.role] ?? OTHER_SCORE) +
    (split ? 1.5 + Math.min(1.5, split.score / 3) : 0) +
    (a.last ? 0 : -1.2) +
    (a.exact ? 0 : -0.8) +
    0.4 * Math.min(3, repeats) +
    (sameAmount(Math.abs(a.amount), largest) ? 0.6 : 0) +
    (a.place === 'line' ? 0.5 : a.place === 'level' ? 0.2 : -0.6)
  );
}

function byRole(candidates: Candidate[], role: 'net', total: Candidate): Candidate | undefined {
  const limit = Math.abs(total.amount) * 1.5 + 0.01;
  const found = candidates.filter((a) => a.role === role && a.last && a.amount !== 0 && Math.abs(a.amount) <= limit);
  // Pages and groups have subtotals of their own: the document's is the largest that is no more than its total.
  const within = found.filter((a) => Math.abs(a.amount) <= Math.abs(total.amount) + 0.005);
  return [...(within.length > 0 ? within : found)].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))[0];
}

function lastOf(candidates: Candidate[], role: AmountRole, amount?: number): Candidate | undefined {
  const found = candidates.filter((a) => a.role === role && a.last && a.exact);
  const agreed = amount === undefined ? undefined : found.find((a) => sameAmount(Math.abs(a.amount), Math.abs(amount)));
  const printed = found.filter((a) => a.amount !== 0);
  return agreed ?? printed.findLast((a) => a.place !== 'above') ?? printed.at(-1);
}
