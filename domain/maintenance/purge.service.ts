import { RECEIPT_KEPT_DAYS } from '../contracts/inbound-webhooks.ts';
import { MAIL_KEPT_DAYS } from '../contracts/mails.ts';
import { KEPT_MS } from '../idempotency/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows that one statement removes: short transactions, no long locks. */
const BATCH = 5_000;

interface Rule {
  statement: Statement;
  /** Rows whose time lies further back than this are removed. */
  keptMs: number;
}

/** What is kept for a while only, and how long. All other tables are the tenants' own data. */
const RULES = {
  idempotency_records: rule('idempotency_records', 'created_at', KEPT_MS),
  // usage_stats looks back seven days.
  api_key_usage: rule('api_key_usage', 'minute', 7 * DAY_MS + HOUR_MS),
  auth_failures: rule('auth_failures', 'at', DAY_MS),
  rate_windows: rule('rate_windows', 'ends_at', HOUR_MS),
  oauth_authorization_requests: rule('oauth_authorization_requests', 'expires_at', HOUR_MS),
  // For a while a code or token that comes again after its end is still told from one that never was.
  oauth_codes: rule('oauth_codes', 'expires_at', DAY_MS),
  oauth_access_tokens: rule('oauth_access_tokens', 'expires_at', DAY_MS),
  refresh_tokens: rule('refresh_tokens', 'expires_at', 7 * DAY_MS),
  browser_sessions: rule('browser_sessions', 'expires_at', HOUR_MS),
  // Until then a user shows that its invitation has run out.
  account_links: rule('account_links', 'expires_at', 30 * DAY_MS),
  inbound_receipts: rule('inbound_receipts', 'received_at', RECEIPT_KEPT_DAYS * DAY_MS),
  mails: rule('mails', 'created_at', MAIL_KEPT_DAYS * DAY_MS),
} as const satisfies Record<string, Rule>;

export type PurgeableKind = keyof typeof RULES;

export const PURGEABLE_KINDS = Object.keys(RULES) as readonly PurgeableKind[];

/** Removes one batch of what has outlived its time. `isDone`: nothing more is left. */
export async function purgeBatch(
  system: SystemDatabase,
  kind: PurgeableKind,
  now: number,
): Promise<{ removed: number; isDone: boolean }> {
  const { statement: remove, keptMs } = RULES[kind];
  const [row] = await system.query<{ removed: number }>(remove, [new Date(now - keptMs), BATCH]);
  const removed = row?.removed ?? 0;
  return { removed, isDone: removed < BATCH };
}

function rule(table: string, column: string, keptMs: number): Rule {
  const text = `
    with gone as (
      delete from ${table} where ctid in (select ctid from ${table} where ${column} < $1 limit $2 for update skip locked)
      returning 1
    )
    select count(*) as removed from gone`;
  return { statement: statement(text), keptMs };
}
