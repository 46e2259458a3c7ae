import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import pg from 'pg';

const TABLE = `
  create table oidc_payloads (
    id text not null, type text not null, payload jsonb not null, grant_id text null, uid text null, user_code text null,
    expires_at timestamptz null, consumed_at timestamptz null, primary key (type, id));
  create index oidc_payloads_grant_index on oidc_payloads (grant_id);
  create index oidc_payloads_expiry_index on oidc_payloads (expires_at)`;

const prepared = (name: string, text: string) => ({ name, text });
const UPSERT = prepared(
  'upsert',
  `insert into oidc_payloads (id, type, payload, grant_id, uid, user_code, expires_at)
   values ($1, $2, $3, $4, $5, $6, now() + $7::int * interval '1 second')
   on conflict (type, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
);
const FIND = prepared('find', `select payload, consumed_at from oidc_payloads where type = $1 and id = $2`);
const FIND_BY_UID = prepared(
  'find_by_uid',
  `select payload, consumed_at from oidc_payloads where type = $1 and uid = $2`,
);
const FIND_BY_CODE = prepared(
  'find_by_code',
  `select payload, consumed_at from oidc_payloads where type = $1 and user_code = $2`,
);
const CONSUME = prepared('consume', `update oidc_payloads set consumed_at = now() where type = $1 and id = $2`);
const DESTROY = prepared('destroy', `delete from oidc_payloads where type = $1 and id = $2`);
const REVOKE = prepared('revoke', `delete from oidc_payloads where grant_id = $1`);

export async function createPayloadTable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(TABLE);
  } finally {
    await client.end();
  }
}

/** oidc-provider's storage in PostgreSQL: prepared statements, one row a token, committed to disk as ours is. */
export function postgresAdapter(url: string): AdapterFactory {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  return (type): Adapter => {
    const find = async (statement: typeof FIND, value: string): Promise<AdapterPayload | undefined> => {
      const { rows } = await pool.query<{ payload: AdapterPayload; consumed_at: Date | null }>({
        ...statement,
        values: [type, value],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      return row.consumed_at === null
        ? row.payload
        : { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1_000) };
    };
    return {
      async upsert(id, payload, expiresIn) {
        const { grantId = null, uid = null, userCode = null } = payload;
        const values = [id, type, JSON.stringify(payload), grantId, uid, userCode, expiresIn];
        await pool.query({ ...UPSERT, values });
      },
      find: (id) => find(FIND, id),
      findByUid: (uid) => find(FIND_BY_UID, uid),
      findByUserCode: (userCode) => find(FIND_BY_CODE, userCode),
      async consume(id) {
        await pool.query({ ...CONSUME, values: [type, id] });
      },
      async destroy(id) {
        await pool.query({ ...DESTROY, values: [type, id] });
      },
      async revokeByGrantId(grantId) {
        await pool.query({ ...REVOKE, values: [grantId] });
      },
    };
  };
}
