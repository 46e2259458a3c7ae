import type { ValidationData } from '../contracts/vision.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { storableJson } from '../../platform/storable-json.ts';
import type { VisionEnvironment } from './admission.service.ts';
import { documentAt } from './result-documents.rules.ts';
import type { VisionWork } from './steps.rules.ts';

const GET = statement(`
  select client_id, environment, operation, options, pages_total, result, md5(result::text) as version
  from vision_requests where client_id = $1 and request_id = $2 and erased_at is null and result is not null`);
const LOCK_UNCHANGED = statement(`
  select 1 from vision_requests
  where client_id = $1 and request_id = $2 and erased_at is null and md5(result::text) = $3 for update`);
const STORE = statement(`update vision_requests set result = $3 where client_id = $1 and request_id = $2`);

/** A call that has its result, and which state of that it is. */
export interface CompletedCall extends VisionWork, Record<string, unknown> {
  client_id: number;
  environment: VisionEnvironment;
  pages_total: number;
  result: Record<string, unknown>;
  version: string;
}

/** Undefined where the result is erased. */
export async function completedCall(tx: TenantTransaction, requestId: string): Promise<CompletedCall | undefined> {
  const [row] = await tx.query<CompletedCall>(GET, [tx.clientId, requestId]);
  return row;
}

/** Holds the row until the transaction ends; false where its result is another by now, or erased. */
export async function lockUnchanged(tx: TenantTransaction, requestId: string, version: string): Promise<boolean> {
  const rows = await tx.query(LOCK_UNCHANGED, [tx.clientId, requestId, version]);
  return rows.length > 0;
}

export function storeResult(tx: TenantTransaction, requestId: string, result: Record<string, unknown>): void {
  tx.write(STORE, [tx.clientId, requestId, storableJson(result)]);
}

/** The checks of a document; undefined where they are still being made, or the result was erased. */
export async function validationOf(
  tx: TenantTransaction,
  requestId: string,
  index: number,
): Promise<ValidationData | undefined> {
  const call = await completedCall(tx, requestId);
  if (call === undefined) return undefined;
  const { validation } = documentAt(call.result, index);
  return validation?.checks === undefined ? undefined : validation;
}
