import type { DocumentFailureCode } from '../contracts/vision.ts';
import { recordAddressedEvent, recordEvent } from '../events/index.ts';
import { queueCallback } from '../webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { admitJobs, lockJobs } from './admission.service.ts';
import { book, creditsTaken, OutOfCreditsError } from './credits.service.ts';
import type { Shortfall } from './credits.service.ts';
import { documentFacts } from './document-facts.rules.ts';
import type { DocumentFacts } from './document-facts.rules.ts';
import { extracts, heldForPages, openingHold, priceOf } from './prices.rules.ts';
import { findVisionRequest } from './requests.service.ts';
import type { VisionRequestRow } from './requests.service.ts';

const START = statement(`
  update vision_requests set status = 'running', pages_total = $3 where client_id = $1 and request_id = $2 and status in ('queued', 'running')
  returning 1`);
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

// Where the call is erased, so is what told of it.
const NOTE_EVENT = statement(`update vision_requests set event_id = $3 where client_id = $1 and request_id = $2`);
const NOTE = statement(`
  insert into vision_documents (client_id, request_id, index, document_type, type_confidence, fields, avg_confidence,
    min_confidence, has_failed_check, environment) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`);

/** Sandbox calls run the same engine and spend no credits (decisions §9). */
function isCharged(row: VisionRequestRow): boolean {
  return row.environment === 'production';
}

/** `closed`: it was cancelled or erased meanwhile. */
export type StartOutcome = 'started' | 'closed' | Shortfall;

/**
 * Notes the number of pages and raises the hold to the most that they can cost; where the balance doesn't cover that,
 * nothing is booked. The row is locked first: whoever erases the call at this moment gives back all of what is held.
 */
export function startRequest(
  db: TenantDatabase,
  clientId: number,
  requestId: string,
  pages: number,
): Promise<StartOutcome> {
  return db.transaction(clientId, async (tx) => {
    const [started, row] = await Promise.all([
      tx.query(START, [clientId, requestId, pages]),
      findVisionRequest(tx, clientId, requestId),
    ]);
    if (started.length === 0 || row === undefined) return 'closed';
    if (!isCharged(row)) return 'started';
    const [held, needed] = [openingHold(row), heldForPages(row, pages)];
    try {
      await book(tx, { clientId, reference: requestId, step: 'hold_pages', amount: held - needed });
      return 'started';
    } catch (error) {
      if (error instanceof OutOfCreditsError) return { needed, left: error.balance + held };
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

/**
 * A call that is about to be closed, and its client's jobs locked where it is one of them. Every transaction locks in this
 * order, so that none waits for another that waits for it: the jobs of the client, the call, the credits.
 */
async function lockedJob(
  tx: TenantTransaction,
  clientId: number,
  requestId: string,
): Promise<VisionRequestRow | undefined> {
  const row = await findVisionRequest(tx, clientId, requestId);
  if (row?.is_async === true) await lockJobs(tx);
  return row;
}

/** Closes a request with its result: charge settled, event and callback written, in one transaction, once. */
export function completeRequest(
  db: TenantDatabase,
  clientId: number,
  requestId: string,
  result: Record<string, unknown>,
  now: number,
): Promise<void> {
  return db.transaction(clientId, async (tx) => {
    const row = await lockedJob(tx, clientId, requestId);
    if (row === undefined || row.erased_at !== null) return;
    const { documents } = result;
    const found = Array.isArray(documents) ? documents.length : 1;
    const credits = isCharged(row) ? priceOf(row, row.pages_total ?? 0, found) : 0;
    const elapsed = Math.max(0, now - row.created_at.getTime());
    const type = result['document_type'] ?? null;
    const closed = await tx.query(COMPLETE, [clientId, requestId, JSON.stringify(result), type, credits, elapsed]);
    if (closed.length === 0) return;
    const taken = await creditsTaken(tx, clientId, requestId);
    await book(tx, { clientId, reference: requestId, step: 'settle', amount: taken - credits });
    noteDocuments(tx, row, documentFacts(result));
    if (row.is_async) await admitJobs(tx, row.environment);
    announce(tx, row, 'vision.extract.completed', {
      request_id: requestId,
      ...result,
      credits_used: credits,
      processing_time_ms: elapsed,
      timestamp: new Date(now).toISOString(),
    });
  });
}

function noteDocuments(tx: TenantTransaction, row: VisionRequestRow, documents: DocumentFacts[]): void {
  for (const [index, facts] of documents.entries()) {
    tx.write(NOTE, [
      tx.clientId,
      row.request_id,
      index,
      facts.document_type,
      facts.type_confidence,
      facts.fields,
      facts.avg_confidence,
      facts.min_confidence,
      facts.has_failed_check,
      row.environment,
    ]);
  }
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
    const row = await lockedJob(tx, clientId, requestId);
    if (row === undefined) return;
    const closed = await tx.query(FAIL, [clientId, requestId, failure.code, failure.message]);
    if (closed.length === 0) return;
    const taken = await creditsTaken(tx, clientId, requestId);
    await book(tx, { clientId, reference: requestId, step: 'refund', amount: taken });
    if (row.is_async) await admitJobs(tx, row.environment);
    announce(tx, row, 'vision.extract.failed', {
      request_id: requestId,
      error: failure,
      credits_used: 0,
      timestamp: new Date(now).toISOString(),
    });
  });
}

/**
 * The event for the client's webhooks, and the callback to the address that the call itself named. The events are about
 * extractions: what only classifies, splits or crops is fetched. Of a call in the sandbox the callback alone tells.
 */
function announce(tx: TenantTransaction, row: VisionRequestRow, name: string, data: Record<string, unknown>): void {
  if (!extracts(row)) return;
  const isSandbox = row.environment === 'sandbox';
  if (row.webhook_url === null && isSandbox) return;
  const event = { name, data: { event: name, ...data } };
  const eventId = isSandbox ? recordAddressedEvent(tx, event) : recordEvent(tx, event);
  tx.write(NOTE_EVENT, [tx.clientId, row.request_id, eventId]);
  if (row.webhook_url === null) return;
  const { webhook_url: url, api_key_id: apiKeyId, oauth_application_id: applicationId } = row;
  const signer = {
    ...(apiKeyId === null ? {} : { apiKeyId }),
    ...(applicationId === null ? {} : { applicationId }),
  };
  queueCallback(tx, { eventId, eventType: name, url, isSandbox, ...signer });
}
