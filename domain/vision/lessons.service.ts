import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { storableJson } from '../../platform/storable-json.ts';

/** Lessons of a client that are kept, and of one issuer; the newest win. */
export const MAX_LESSONS = 300;
const MAX_OF_ISSUER = 20;

/** What the engine makes of corrections; its own business beyond the keys. */
export interface StoredLesson extends Record<string, unknown> {
  document_type: string;
  keys: string[];
}

const LIST = statement(`
  select lesson from vision_lessons where client_id = $1 and environment = $2
  order by updated_at desc, id desc limit ${String(MAX_LESSONS)}`);
const STORE = statement(`
  insert into vision_lessons (client_id, request_id, document_index, document_type, issuer_keys, lesson, environment)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (client_id, request_id, document_index)
  do update set lesson = excluded.lesson, issuer_keys = excluded.issuer_keys, updated_at = now()`);
const REMOVE = statement(`
  delete from vision_lessons where client_id = $1 and request_id = $2 and document_index = $3`);
const FORGET_OLD = statement(`
  delete from vision_lessons where client_id = $1 and (
    id in (select id from vision_lessons where client_id = $1 and environment = $3
      order by updated_at desc, id desc offset ${String(MAX_LESSONS)})
    or id in (select id from vision_lessons where client_id = $1 and environment = $3 and issuer_keys && $2
      order by updated_at desc, id desc offset ${String(MAX_OF_ISSUER)}))`);
const FORGET = statement(`delete from vision_lessons where client_id = $1 and request_id = $2`);
const FORGET_ACCOUNTS = statement(`delete from account_lessons where client_id = $1 and request_id = $2`);

/** What the client's corrections taught, oldest first; the engine picks those of a document's issuer. */
export async function lessonsOf(tx: TenantTransaction, environment: string): Promise<StoredLesson[]> {
  const rows = await tx.query<{ lesson: StoredLesson }>(LIST, [tx.clientId, environment]);
  return rows.map((row) => row.lesson).reverse();
}

interface DocumentPlace {
  requestId: string;
  document: number;
  environment: string;
}

/** Keeps what the corrections of one document taught in place of what fewer of them taught before; null: nothing. */
export function storeLesson(tx: TenantTransaction, place: DocumentPlace, lesson: StoredLesson | null): void {
  const { clientId } = tx;
  const { requestId, document, environment } = place;
  if (lesson === null) {
    tx.write(REMOVE, [clientId, requestId, document]);
    return;
  }
  const { document_type: type, keys } = lesson;
  tx.write(STORE, [clientId, requestId, document, type, keys, storableJson(lesson), environment]);
  tx.write(FORGET_OLD, [clientId, keys, environment]);
}

/**
 * Of a result that somebody deletes: what was learned from it goes with it. Where only its retention is over, the lessons
 * stay: a client's corrections must not be forgotten every month.
 */
export function forgetLessons(tx: TenantTransaction, requestId: string): void {
  for (const sql of [FORGET, FORGET_ACCOUNTS]) tx.write(sql, [tx.clientId, requestId]);
}
