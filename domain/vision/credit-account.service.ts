import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { CREDIT_BUNDLES, TRIAL } from '../contracts/vision-credits.ts';
import type { BundleKey } from '../contracts/vision-credits.ts';
import type { PaymentData } from '../contracts/payments.ts';
import { recordPendingPayment } from '../finance/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { book } from './credits.service.ts';

export interface CreditAccount {
  credits_remaining: number;
  credits_used_total: number;
  bundle: string | null;
}

const FIRST = statement(`select 1 from credit_entries where client_id = $1 limit 1`);
// One statement, and so one moment: a call that is settled between two of them would count twice, or not at all.
const ACCOUNT = statement(`
  select
    (select balance_after from credit_entries where client_id = $1 order by id desc limit 1) as remaining,
    (select coalesce(sum(amount), 0) from credit_entries where client_id = $1 and step = 'grant') as granted,
    (select coalesce(-sum(e.amount), 0) from vision_requests r
      join credit_entries e on e.client_id = r.client_id and e.reference = r.request_id::text
      where r.client_id = $1 and r.status in ('queued', 'running')) as held,
    (select bundle from credit_entries where client_id = $1 and step = 'grant' and bundle is not null
      order by id desc limit 1) as bundle`);

interface AccountRow extends Record<string, unknown> {
  remaining: string | null;
  granted: string;
  held: string;
  bundle: string | null;
}

/** A client whose ledger is empty gets its trial (decisions §9): once, however many ask at the same moment. */
export async function grantTrial(tx: TenantTransaction): Promise<void> {
  const { clientId } = tx;
  const [entry] = await tx.query(FIRST, [clientId]);
  if (entry !== undefined) return;
  const { credits: amount, name: bundle } = TRIAL;
  await book(tx, { clientId, reference: 'trial', step: 'grant', amount, bundle });
}

/** What is left, what was used, and the last bundle. A client that has done nothing yet has its trial before it. */
export async function creditAccount(tx: TenantTransaction): Promise<CreditAccount> {
  const [account] = await tx.query<AccountRow>(ACCOUNT, [tx.clientId]);
  if (account === undefined || account.remaining === null) {
    return { credits_remaining: TRIAL.credits, credits_used_total: 0, bundle: TRIAL.name };
  }
  const { remaining, granted, held, bundle } = account;
  const used = Number(granted) - Number(remaining) - Number(held);
  return { credits_remaining: Number(remaining), credits_used_total: Math.round(used * 100) / 100, bundle };
}

export interface CreditPurchase {
  bundle: string;
  credits: number;
  credits_remaining: number;
  payment: PaymentData;
}

/** Grants a bundle and records what is to be paid for it. For owners and admins. */
export async function purchaseCredits(
  tx: TenantTransaction,
  caller: Caller,
  { bundle, now }: { bundle: BundleKey; now: number },
): Promise<CreditPurchase> {
  if (!canViewAllUsers(caller)) throw new ApiError('FORBIDDEN', 'Credits are bought by owners and admins.');
  const { name, credits, price } = CREDIT_BUNDLES[bundle];
  await grantTrial(tx);
  const reference = `Document AI credits: ${name}`;
  const payment = await recordPendingPayment(tx, caller, { amount: price, currency: 'ZAR', reference, now });
  const booking = {
    reference: `purchase/${String(payment.id)}`,
    step: 'grant',
    amount: credits,
    bundle: name,
  } as const;
  await book(tx, { clientId: tx.clientId, ...booking });
  audit(tx, caller, {
    action: 'document_ai.credits_purchased',
    subjectType: 'payment',
    subjectId: String(payment.id),
    details: { bundle: name, credits, price },
  });
  const { credits_remaining } = await creditAccount(tx);
  return { bundle: name, credits, credits_remaining, payment };
}
