import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import { isoMoment } from '../contracts/common.ts';
import type { ListResultsInput, ResultSummary } from '../contracts/vision-results.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { environmentOf } from './requests.service.ts';

interface Row extends Record<string, unknown> {
  request_id: string;
  operation: ResultSummary['operation'];
  status: ResultSummary['status'];
  is_async: boolean;
  document_type: string | null;
  pages_done: number;
  pages_total: number | null;
  error_code: string | null;
  credits_used: number;
  processing_time_ms: number | null;
  created_at: Date;
  finished_at: Date | null;
}

const MATCHING = `client_id = $1 and erased_at is null and ($2::text is null or status = $2)
  and ($3::text is null or operation = $3) and ($4::text is null or document_type = $4) and environment = $5`;
const LIST = statement(`
  select request_id, operation, status, is_async, document_type, cardinality(pages_read) as pages_done, pages_total,
    error_code, credits_used::float8 as credits_used, processing_time_ms, created_at, finished_at
  from vision_requests where ${MATCHING} order by id desc limit $6 offset $7`);
const COUNT = statement(`select count(*)::int as total from vision_requests where ${MATCHING}`);

/** The client's calls (in the sandbox: those of the sandbox), newest first, without what they answered. */
export async function listRequests(
  tx: TenantTransaction,
  caller: Caller,
  input: ListResultsInput,
): Promise<{ results: ResultSummary[]; pagination: Page }> {
  const { status = null, operation = null, document_type = null, limit, offset } = input;
  const filters = [tx.clientId, status, operation, document_type, environmentOf(caller)];
  const [rows, [counted]] = await Promise.all([
    tx.query<Row>(LIST, [...filters, limit, offset]),
    tx.query<{ total: number }>(COUNT, filters),
  ]);
  const results = rows.map((row) => ({
    ...row,
    created_at: isoMoment(row.created_at),
    finished_at: row.finished_at === null ? null : isoMoment(row.finished_at),
  }));
  return { results, pagination: { total: counted?.total ?? 0, limit, offset } };
}
