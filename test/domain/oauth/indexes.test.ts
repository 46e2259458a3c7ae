import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  // Enough rows that the planner has to choose; the plan for more of them is the same.
  await superuser.query(`
    insert into oauth_access_tokens (jti, client_id, application_id, user_id, chain_id, expires_at)
      select gen_random_uuid(), n % 50, n % 200, n % 5000, gen_random_uuid(), now() + n * interval '1 second'
      from generate_series(1, 50000) n;
    insert into refresh_tokens (client_id, user_id, family_id, token_hash, expires_at, application_id)
      select n % 50, n % 5000, gen_random_uuid(), sha256(n::text::bytea), now() + n * interval '1 second', n % 200
      from generate_series(1, 50000) n;
    insert into oauth_codes (code_hash, client_id, application_id, user_id, chain_id, redirect_uri, code_challenge,
        authenticated_at, expires_at)
      select sha256(n::text::bytea), n % 50, n % 200, n % 5000, gen_random_uuid(), '', '', now(), now() + n * interval '1 second'
      from generate_series(1, 50000) n;
    insert into oauth_applications (client_id, oauth_client_id, name, created_by_user_id)
      select n % 50, 'svc_oa_' || n, 'x', 1 from generate_series(1, 20000) n;`);
  await superuser.query('analyze');
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

/** What the requests of the hot paths look rows up by. */
const LOOKUPS: [string, string, string][] = [
  ['an access token', `select * from oauth_access_tokens where jti = '${uuid()}'`, 'oauth_access_tokens_pkey'],
  [
    'a chain’s access tokens',
    `select * from oauth_access_tokens where chain_id = '${uuid()}'`,
    'oauth_access_tokens_chain_index',
  ],
  ['a refresh token', `select * from refresh_tokens where token_hash = '\\x00'`, 'refresh_tokens_hash_unique'],
  [
    'a chain’s refresh tokens',
    `select * from refresh_tokens where family_id = '${uuid()}'`,
    'refresh_tokens_family_index',
  ],
  ['a code', `select * from oauth_codes where code_hash = '\\x00'`, 'oauth_codes_pkey'],
  [
    'an application',
    `select * from oauth_applications where oauth_client_id = 'x'`,
    'oauth_applications_oauth_client_id_unique',
  ],
  [
    'a client’s applications',
    `select * from oauth_applications where client_id = 7`,
    'oauth_applications_client_index',
  ],
  [
    'expired access tokens',
    `select ctid from oauth_access_tokens where expires_at < now() limit 5000`,
    'oauth_access_tokens_expiry_index',
  ],
  ['expired codes', `select ctid from oauth_codes where expires_at < now() limit 5000`, 'oauth_codes_expiry_index'],
  [
    'expired refresh tokens',
    `select ctid from refresh_tokens where expires_at < now() limit 5000`,
    'refresh_tokens_expiry_index',
  ],
];

function uuid(): string {
  return '0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11';
}

describe('PostgreSQL finds by an index', () => {
  it.each(LOOKUPS)('%s', async (_, query, index) => {
    const { rows } = await superuser.query<{ 'QUERY PLAN': string }>(`explain ${query}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });
});
