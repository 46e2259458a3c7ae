import { eraseEvents } from '../events/index.ts';
import { eraseAnswers } from '../idempotency/index.ts';
import { cancelErased } from '../webhooks/index.ts';
import { forgetErased } from '../workflow-templates/index.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** A call that is erased in the same transaction, which holds its row. */
export interface ErasedCall {
  client_id: number;
  request_id: string;
  /** The event that told how it ended. */
  event_id: string | null;
}

/**
 * Erases what told of calls outside of their own rows: their events, which webhooks, callbacks and workflow templates were
 * told by, and answers that are kept for an Idempotency-Key (docs/decisions/0022 lists where a result can be).
 */
export async function eraseTraces(tx: Transaction, calls: readonly ErasedCall[]): Promise<void> {
  eraseAnswers(
    tx,
    calls.map((call) => ({ clientId: call.client_id, requestId: call.request_id })),
  );
  const events = calls.flatMap(({ client_id: clientId, event_id: eventId }) =>
    eventId === null ? [] : [{ clientId, eventId }],
  );
  if (events.length === 0) return;
  await eraseEvents(tx, events);
  cancelErased(tx, events);
  forgetErased(tx, events);
}
