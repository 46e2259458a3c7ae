import { roundCents, sameAmount } from '../../values/money.ts';
import type { Entry } from './transactions.ts';

/** An entry with its sign: what it adds to the balance. `certainty` is 0 to 1. */
export interface Settled {
  entry: Entry;
  amount: number;
  balance?: number;
  /** The running balance before and after it differ by exactly this amount. */
  proven: boolean;
  certainty: number;
}

/** How sure a sign is without the proof of a balance. */
const BY_COLUMN = 0.9;
const BY_SIGN = 0.9;
const BY_SECTION = 0.82;
const BY_NOTHING = 0.6;
const PROVEN = 0.98;
const CONTRADICTED = 0.6;

/**
 * Signs and proves the entries. Debits lower the balance of a bank account and raise that of a customer; signs, CR and
 * DR and the sections' headings say the same. Where balances are printed they decide, whichever end the list begins at.
 */
export function settle(entries: Entry[], party: 'bank' | 'supplier', opening: number | undefined): Settled[] {
  const rough = entries.flatMap((entry) => {
    const signed = signedAmount(entry, party);
    return signed ? [{ entry, ...signed, ...balanceOf(entry) }] : [];
  });
  const forward = prove(rough, opening);
  const backward = prove([...rough].reverse(), opening).reverse();
  const count = (list: Settled[]): number => list.filter((item) => item.proven).length;
  return count(backward) > count(forward) ? backward : forward;
}

function balanceOf({ balance }: Entry): { balance?: number } {
  const number = balance?.number;
  if (!number) return {};
  return { balance: number.side === 'debit' ? -Math.abs(number.amount) : number.amount };
}

function signedAmount(entry: Entry, party: 'bank' | 'supplier'): { amount: number; certainty: number } | undefined {
  const debit = entry.debit?.number?.amount;
  const credit = entry.credit?.number?.amount;
  const raise = party === 'bank' ? 1 : -1;
  if (credit !== undefined && credit !== 0 && (debit === undefined || debit === 0))
    return { amount: raise * Math.abs(credit), certainty: BY_COLUMN };
  if (debit !== undefined) return { amount: -raise * Math.abs(debit), certainty: BY_COLUMN };
  const token = entry.amount?.number;
  if (!token) return undefined;
  if (token.side)
    return { amount: (token.side === 'credit' ? raise : -raise) * Math.abs(token.amount), certainty: BY_SIGN };
  if (token.amount < 0 || token.words.some((word) => /^\+/.test(word.text)))
    return { amount: token.amount, certainty: BY_SIGN };
  if (party === 'bank' && entry.section) return { amount: entry.section * token.amount, certainty: BY_SECTION };
  return { amount: token.amount, certainty: party === 'supplier' ? BY_SIGN : BY_NOTHING };
}

/** Follows the running balance; it may be printed once a day, then the entries since the last one prove each other. */
function prove(rough: Omit<Settled, 'proven'>[], opening: number | undefined): Settled[] {
  const settled: Settled[] = rough.map((item) => ({ ...item, proven: false }));
  let last = opening;
  let since: Settled[] = [];
  for (const item of settled) {
    since.push(item);
    if (item.balance === undefined) continue;
    if (last !== undefined) judge(since, roundCents(item.balance - last));
    last = item.balance;
    since = [];
  }
  return settled;
}

function judge(since: Settled[], difference: number): void {
  const sum = since.reduce((total, item) => total + item.amount, 0);
  const only = since.length === 1 ? since[0]! : undefined;
  if (sameAmount(sum, difference, 0.011)) {
    for (const item of since) {
      item.proven = true;
      item.certainty = PROVEN;
    }
  } else if (only && sameAmount(Math.abs(only.amount), Math.abs(difference), 0.011)) {
    only.amount = difference;
    only.proven = true;
    only.certainty = PROVEN;
  } else for (const item of since) item.certainty = Math.min(item.certainty, CONTRADICTED);
}
