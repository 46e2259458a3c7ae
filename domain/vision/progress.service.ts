import type { DocumentFailureCode } from '../contracts/vision.ts';
import { recordEvent } from '../events/index.ts';
import { queueCallback } from '../webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { book, creditsTaken, OutOfCreditsError } from './credits.service.ts';
import { getVisionRequest } from './requests.service.ts';
import type { VisionRequestRow } from './requests.service.ts';

const START = statement(`
  update vision_requests set status = 'running', pages_total = $3 where client_id = $1 and request_id = $2 and status in ('queued', 'running')`);
const PAGE_READ = statement(`
  update vision_requests set pages_read = array(select distinct unnest(pages_read || $3::int) order by 1)
  where client_id = $1 and request_id = $2`);
// Only an open request is closed: a repeated activity finds it closed and changes nothing, so nothing is said twice.
const COMPLETE = statement(`
  update vision_requests set status = 'completed', result = $3, document_type = $4, credits_used = $5,
    processing_time_ms = $6, finished_at = now()
  where client_id = $1 and request_id = $2 and status in ('queued', 'running') returning 1`);
const FAIL = statement(`
  update vision_requests set status = 'failed', error_code = $3, error_message = $4, finished_at = now()
  where client_id = $1 and request_id = $2 and status in ('queued', 'running') returning 1`);

/** Sandbox calls run the same engine and spend no credits (decisions §9). */
function isCharged(row: VisionRequestRow): boolean {
  return row.environment === 'production';
}

/**
 * Notes the number of pages and raises the hold to one credit for each. Answers false when the balance doesn't cover
 * them; nothing is booked then.
 */
export function startRequest(db: TenantDatabase, clientId: number, requestId: string, pages: number): Promise<boolean> {
  return db.transaction(clientId, async (tx) => {
    const row = await getVisionRequest(tx, clientId, requestId);
    tx.write(START, [clientId, requestId, pages]);
    if (!isCharged(row)) return true;
    try {
      await book(tx, { clientId, reference: requestId, step: 'hold_pages', amount: 1 - pages });
      return true;
    } catch (error) {
      if (error instanceof OutOfCreditsError) return false;
      throw error;
    }
  });
}

/** Notes a page as read; noting it twice changes nothing. */
export function recordPageRead(db: TenantDatabase, clientId: number, requestId: string, page: number): Promise<void> {
  return db.transaction(clientId, async (tx) => {
    await tx.query(PAGE_READ, [clientId, requestId, page]);
  });
}

/** Closes a request with its result: charge settled, event and callback written, in one transaction, once. */
export function completeRequest(
  db: TenantDatabase,
  clientId: number,
  requestId: string,
  result: { document_type: string } & Record<string, unknown>,
  now: number,
): Promise<void> {
  return db.transaction(clientId, async (tx) => {
    const row = await getVisionRequest(tx, clientId, requestId);
    const credits = isCharged(row) ? await creditsTaken(tx, clientId, requestId) : 0;
    const elapsed = Math.max(0, now - row.created_at.getTime());
    const values = [clientId, requestId, JSON.stringify(result), result.document_type, credits, elapsed];
    const closed = await tx.query(COMPLETE, values);
    if (closed.length === 0) return;
    announce(tx, row, 'vision.extract.completed', {
      request_id: requestId,
      ...result,
      credits_used: credits,
      processing_time_ms: elapsed,
      timestamp: new Date(now).toISOString(),
    });
  });
}

/** Closes a request that could not be carried out: credits refunded, event and callback written, in one transaction, once. */
export function failRequest(
  db: TenantDatabase,
  clientId: number,
  requestId: string,
  failure: { code: DocumentFailureCode; message: string },
  now: number,
): Promise<void> {
  return db.transaction(clientId, async (tx) => {
    const row = await getVisionRequest(tx, clientId, requestId);
    const closed = await tx.query(FAIL, [clientId, requestId, failure.code, failure.message]);
    if (closed.length === 0) return;
    const taken = await creditsTaken(tx, clientId, requestId);
    await book(tx, { clientId, reference: requestId, step: 'refund', amount: taken });
    announce(tx, row, 'vision.extract.failed', {
      request_id: requestId,
      error: failure,
      credits_used: 0,
      timestamp: new Date(now).toISOString(),
    });
  });
}

/** The event for the client's webhooks, and the callback to the address that the call itself named. */
function announce(tx: TenantTransaction, row: VisionRequestRow, name: string, data: Record<string, unknown>): void {
  const body = { event: name, ...data };
  const eventId = recordEvent(tx, { name, data: body });
  if (row.webhook_url === null) return;
  const { webhook_url: url, api_key_id: apiKeyId, oauth_application_id: applicationId } = row;
  const signer = {
    ...(apiKeyId === null ? {} : { apiKeyId }),
    ...(applicationId === null ? {} : { applicationId }),
  };
  queueCallback(tx, { eventId, eventType: name, url, ...signer });
}
