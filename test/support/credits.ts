import { book } from '../../domain/vision/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';

const BALANCE = statement(`select sum(amount)::float8 as credits from credit_entries where client_id = $1`);

/** Gives a client credits of Document AI, beside those of its trial. */
export async function grantCredits(system: SystemDatabase, clientId: number, amount: number): Promise<void> {
  await system.transaction((tx) => book(tx, { clientId, reference: 'test', step: 'grant', amount }));
}

/** The credits that a client has left, what is held for calls under way taken off. */
export async function creditsLeft(system: SystemDatabase, clientId: number): Promise<number> {
  const [row] = await system.query<{ credits: number | null }>(BALANCE, [clientId]);
  return row?.credits ?? 0;
}
