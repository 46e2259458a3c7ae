import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { momentOf, pageOf, MAX_COUNTED } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ListReceiptsInput, ReceiptDetailData, ReceiptSummaryData } from '../contracts/inbound-webhooks.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { requestProcessing } from './receive.service.ts';
import { COLUMNS, detailOf, summaryOf } from './receipt.view.ts';
import type { ReceiptDetailRow, ReceiptRow } from './receipt.view.ts';

const WANTED = `client_id = $1 and webhook_id = $2 and ($3::text is null or status = $3)
  and ($4::timestamptz is null or received_at >= $4) and ($5::timestamptz is null or received_at < $5)`;
const LIST = statement(`
  select ${COLUMNS} from inbound_receipts where ${WANTED} order by id desc limit $6 offset $7`);
const COUNT = statement(`
  select count(*) as total from (
    select from inbound_receipts where ${WANTED} limit ${String(MAX_COUNTED + 1)}) counted`);
const GET = statement(`
  select ${COLUMNS}, headers, body, source_address from inbound_receipts
  where client_id = $1 and webhook_id = $2 and receipt_id = $3`);
const LOCK = statement(`
  select ${COLUMNS} from inbound_receipts
  where client_id = $1 and webhook_id = $2 and receipt_id = $3 for no key update`);
const AGAIN = statement(`
  update inbound_receipts
  set status = 'received', error_message = null, processed_at = null, processing_round = processing_round + 1
  where client_id = $1 and receipt_id = $2 returning ${COLUMNS}`);

/** What was posted to a webhook, newest first. */
export async function listReceipts(
  tx: TenantTransaction,
  webhookId: string,
  { status, from, to, limit, offset }: ListReceiptsInput,
): Promise<{ receipts: ReceiptSummaryData[]; pagination: Page }> {
  const moment = (text: string | undefined): Date | null => (text === undefined ? null : momentOf(text));
  const wanted = [tx.clientId, webhookId, status ?? null, moment(from), moment(to)];
  const [rows, [count]] = await Promise.all([
    tx.query<ReceiptRow>(LIST, [...wanted, limit, offset]),
    tx.query<{ total: number }>(COUNT, wanted),
  ]);
  return { receipts: rows.map(summaryOf), pagination: pageOf(count?.total ?? 0, { limit, offset }) };
}

/** A call as it came, and what became of it. */
export async function getReceipt(tx: TenantTransaction, webhookId: string, id: string): Promise<ReceiptDetailData> {
  const [row] = await tx.query<ReceiptDetailRow>(GET, [tx.clientId, webhookId, id]);
  if (row === undefined) throw ApiError.notFound('receipt', id);
  return detailOf(row);
}

/** Processes a failed call once more: what stood in its way may be gone. */
export async function reprocessReceipt(
  tx: TenantTransaction,
  caller: Caller,
  webhookId: string,
  id: string,
): Promise<ReceiptSummaryData> {
  const [before] = await tx.query<ReceiptRow>(LOCK, [tx.clientId, webhookId, id]);
  if (before === undefined) throw ApiError.notFound('receipt', id);
  if (before.status !== 'failed') throw new ApiError('CONFLICT', `This receipt is ${before.status}, not failed.`);
  if (before.processing_round === 0) {
    throw ApiError.unprocessable('The body of this call was refused: its sender must send it again, corrected.');
  }
  const [row] = await tx.query<ReceiptRow>(AGAIN, [tx.clientId, id]);
  if (row === undefined) throw new Error('update of a locked receipt found no row');
  const { webhook_type: webhookType, processing_round: round } = row;
  requestProcessing(tx, { receiptId: id, webhookId, webhookType, round });
  audit(tx, caller, {
    action: 'inbound_webhook.receipt_reprocessed',
    subjectType: 'inbound_webhook',
    subjectId: webhookId,
    details: { receipt_id: id, round, error_message: before.error_message },
  });
  return summaryOf(row);
}
