import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PURGEABLE_KINDS, purgeBatch } from '../../../domain/maintenance/index.ts';
import { SystemDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let system: SystemDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  const log = createLogger('test', 'silent');
  system = new SystemDatabase({ url: database.systemUrl, poolSize: 2, applicationName: 'test', entities: [], log });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await Promise.all([system.close(), superuser.end()]);
  await database.drop();
});

const INSERT = {
  idempotency_records: `insert into idempotency_records (client_id, key, principal, fingerprint, request_id, created_at)
    select 1, 'k' || n || $1::text, 'user:1', '', gen_random_uuid(), $1::timestamptz from generate_series(1, $2::int) n`,
  api_key_usage: `insert into api_key_usage (client_id, api_key_id, minute, requests)
    select 1, n, $1, 1 from generate_series(1, $2::int) n`,
  auth_failures: `insert into auth_failures (subject, at) select 's', $1 from generate_series(1, $2::int) n`,
  rate_windows: `insert into rate_windows (subject, ends_at, used, second_ends_at, second_used, granted)
    select 's' || n || $1::text, $1::timestamptz, 0, $1::timestamptz, 0, 0 from generate_series(1, $2::int) n`,
  oauth_authorization_requests: `insert into oauth_authorization_requests
    (id, client_id, application_id, session_hash, parameters, expires_at)
    select gen_random_uuid(), 1, 1, '', '{}', $1 from generate_series(1, $2::int) n`,
  oauth_codes: `insert into oauth_codes (code_hash, client_id, application_id, user_id, chain_id, redirect_uri,
      code_challenge, authenticated_at, expires_at)
    select convert_to(n || $1::text, 'UTF8'), 1, 1, 1, gen_random_uuid(), 'https://a.example', '', now(), $1::timestamptz
    from generate_series(1, $2::int) n`,
  oauth_access_tokens: `insert into oauth_access_tokens (jti, client_id, application_id, chain_id, expires_at)
    select gen_random_uuid(), 1, 1, gen_random_uuid(), $1 from generate_series(1, $2::int) n`,
  refresh_tokens: `insert into refresh_tokens (client_id, user_id, family_id, token_hash, expires_at)
    select 1, 1, gen_random_uuid(), convert_to(n || $1::text, 'UTF8'), $1::timestamptz from generate_series(1, $2::int) n`,
  browser_sessions: `insert into browser_sessions (id_hash, client_id, user_id, csrf_token, authenticated_at, last_seen_at, expires_at)
    select convert_to(n || $1::text, 'UTF8'), 1, 1, '', now(), now(), $1::timestamptz from generate_series(1, $2::int) n`,
  account_links: `insert into account_links (client_id, user_id, kind, token_hash, expires_at)
    select 1, 1, 'invitation', convert_to(n || $1::text, 'UTF8'), $1::timestamptz from generate_series(1, $2::int) n`,
  inbound_receipts: `insert into inbound_receipts (receipt_id, client_id, webhook_id, webhook_type, headers, body, body_bytes, received_at)
    select gen_random_uuid(), 1, gen_random_uuid(), 'custom', '{}', '', 0, $1::timestamptz from generate_series(1, $2::int) n`,
  mails: `insert into mails (client_id, mail_id, kind, to_address, subject, text_body, dedupe_key, created_at)
    select 1, gen_random_uuid(), '', '', '', '', n || $1::text, $1::timestamptz from generate_series(1, $2::int) n`,
} as const;

const MINUTE_MS = 60_000;
const KEPT_MS = {
  idempotency_records: 24 * 60 * MINUTE_MS,
  api_key_usage: (7 * 24 + 1) * 60 * MINUTE_MS,
  auth_failures: 24 * 60 * MINUTE_MS,
  rate_windows: 60 * MINUTE_MS,
  oauth_authorization_requests: 60 * MINUTE_MS,
  oauth_codes: 24 * 60 * MINUTE_MS,
  oauth_access_tokens: 24 * 60 * MINUTE_MS,
  refresh_tokens: 7 * 24 * 60 * MINUTE_MS,
  account_links: 30 * 24 * 60 * MINUTE_MS,
  browser_sessions: 60 * MINUTE_MS,
  inbound_receipts: 90 * 24 * 60 * MINUTE_MS,
  mails: 30 * 24 * 60 * MINUTE_MS,
} as const;

describe('purgeBatch', () => {
  it.each(PURGEABLE_KINDS)('removes %s that have outlived their time, and no other', async (kind) => {
    const now = Date.now();
    await superuser.query(INSERT[kind], [new Date(now - KEPT_MS[kind] - MINUTE_MS), 3]);
    await superuser.query(INSERT[kind], [new Date(now - KEPT_MS[kind] + MINUTE_MS), 2]);
    expect(await purgeBatch(system, kind, now)).toEqual({ removed: 3, isDone: true });
    expect(await purgeBatch(system, kind, now)).toEqual({ removed: 0, isDone: true });
    const { rows } = await superuser.query<{ left: string }>(`select count(*) as left from ${kind}`);
    expect(Number(rows[0]?.left)).toBe(2);
  });

  it('takes at most 5,000 rows at a time and says that more are left', async () => {
    const now = Date.now();
    await superuser.query(INSERT.auth_failures, [new Date(now - 48 * 60 * MINUTE_MS), 5_001]);
    expect(await purgeBatch(system, 'auth_failures', now)).toEqual({ removed: 5_000, isDone: false });
    expect(await purgeBatch(system, 'auth_failures', now)).toEqual({ removed: 1, isDone: true });
  });
});
