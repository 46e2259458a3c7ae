import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Raised when a booking would take the balance below zero. */
export class OutOfCreditsError extends Error {
  override readonly name = 'OutOfCreditsError';
  readonly balance: number;
  readonly price: number;

  constructor(balance: number, price: number) {
    super(`the call costs ${String(price)} credits and ${String(balance)} are left`);
    this.balance = balance;
    this.price = price;
  }
}

/** What a call would cost, and what the client has for it. */
export interface Shortfall {
  needed: number;
  left: number;
}

export function shortOfCredits({ needed, left }: Shortfall): string {
  return `Not enough credits: ${String(needed)} needed, ${String(left)} left.`;
}

export type BookingStep = 'grant' | 'hold' | 'hold_pages' | 'settle' | 'refund';

export interface Booking {
  clientId: number;
  /** What the booking is for: a request id, a purchase. */
  reference: string;
  step: BookingStep;
  /** Positive adds credits, negative takes them. */
  amount: number;
  bundle?: string;
}

// Bookings of one client queue behind this lock until the commit before: the balance they read is the last one.
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended('credits', $1))`);
const LAST = statement(`select balance_after from credit_entries where client_id = $1 order by id desc limit 1`);
const FIND = statement(`select amount from credit_entries where client_id = $1 and reference = $2 and step = $3`);
const INSERT = statement(`
  insert into credit_entries (client_id, reference, step, amount, balance_after, bundle) values ($1, $2, $3, $4, $5, $6)`);
const TAKEN = statement(
  `select coalesce(-sum(amount), 0) as taken from credit_entries where client_id = $1 and reference = $2`,
);

/**
 * Books once: a repeated step of the same reference changes nothing, so that a retry never charges twice.
 * Throws {@link OutOfCreditsError} rather than let the balance fall below zero.
 */
export async function book(tx: Transaction, booking: Booking): Promise<void> {
  const { clientId, reference, step, amount } = booking;
  const [, [last], [done]] = await Promise.all([
    tx.query(LOCK, [clientId]),
    tx.query<{ balance_after: string }>(LAST, [clientId]),
    tx.query<{ amount: string }>(FIND, [clientId, reference, step]),
  ]);
  if (done !== undefined || amount === 0) return;
  const balance = Number(last?.balance_after ?? 0);
  const after = toCents(balance) + toCents(amount);
  if (after < 0) throw new OutOfCreditsError(balance, -amount);
  await tx.query(INSERT, [clientId, reference, step, amount, after / 100, booking.bundle ?? null]);
}

/** Credits taken for a reference so far, net of refunds. */
export async function creditsTaken(tx: Transaction, clientId: number, reference: string): Promise<number> {
  const [row] = await tx.query<{ taken: string }>(TAKEN, [clientId, reference]);
  return Number(row?.taken ?? 0);
}

/** Credits have two decimals; whole cents keep sums exact. */
function toCents(amount: number): number {
  return Math.round(amount * 100);
}
