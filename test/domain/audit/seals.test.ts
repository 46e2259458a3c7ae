import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { audit, sealAuditEntries, verifyAuditSeals } from '../../../domain/audit/index.ts';
import type { SealStatus } from '../../../domain/audit/index.ts';
import { SEAL_HASH } from '../../../domain/audit/seal-sql.ts';
import { entities } from '../../../domain/entities.ts';
import { SystemDatabase, TenantDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { untilSealable } from '../../support/audit-horizon.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

let database: TestDatabase;
let tenants: TenantDatabase;
let system: SystemDatabase;
/** Passes by every right: what an intruder with the keys to the server could do. */
let superuser: pg.Client;
/** A client of its own for each test, so that none stands on another's chain. */
let clientId = 0;

beforeAll(async () => {
  database = await testDatabase();
  const shared = { poolSize: 8, applicationName: 'test', entities, log: createLogger('test', 'silent') };
  tenants = new TenantDatabase({ ...shared, url: database.appUrl });
  system = new SystemDatabase({ ...shared, url: database.systemUrl });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await Promise.all([tenants.close(), system.close(), superuser.end()]);
  await database.drop();
});
beforeEach(async () => {
  const { rows } = await superuser.query<{ id: number }>(
    `insert into clients (slug, name) values (gen_random_uuid()::text, 'A client') returning id`,
  );
  clientId = rows[0]?.id ?? 0;
});

const caller = () => ({ clientId, actor: { type: 'user' as const, id: '1' }, address: '192.0.2.1' });
const note = (action: string, count = 1): Promise<void> =>
  tenants.transaction(clientId, (tx) => {
    for (let index = 0; index < count; index++) {
      audit(tx, caller(), { action, subjectType: 'invoice', subjectId: String(index), details: { é: [index, null] } });
    }
    return Promise.resolve();
  });
const sealNow = () => sealAuditEntries(system, () => undefined);
const seal = async (): Promise<number> => {
  await untilSealable(superuser, clientId);
  return sealNow();
};
const verify = (window = {}): Promise<SealStatus> =>
  tenants.transaction(clientId, (tx) => verifyAuditSeals(tx, clientId, window));

interface SealRow {
  sequence: number;
  rows: number;
  entry_ids: string[];
  previous_hash: Buffer;
  hash: Buffer;
}
const seals = async (): Promise<SealRow[]> =>
  (await superuser.query<SealRow>('select * from audit_seals where client_id = $1 order by sequence', [clientId])).rows;
const ids = async (): Promise<number[]> => {
  const { rows } = await superuser.query<{ id: number }>(
    'select id from audit_entries where client_id = $1 order by id',
    [clientId],
  );
  return rows.map((row) => row.id);
};

describe('the sealer', () => {
  it('chains what was committed, each seal on the hash of the one before it', async () => {
    await note('one', 3);
    expect(await seal()).toBe(3);
    await note('two', 2);
    expect(await seal()).toBe(2);
    const [first, second] = await seals();
    expect(first).toMatchObject({ sequence: 1, rows: 3, previous_hash: Buffer.alloc(32) });
    expect(second).toMatchObject({ sequence: 2, rows: 2, previous_hash: first!.hash });
    const status = await verify();
    expect(status).toMatchObject({ seals: 2, entries: 5, first_sequence: 1, last_sequence: 2, breach: null });
    expect(status.last_hash).toBe(second!.hash.toString('hex'));
  });

  it('has nothing to do where nothing was added, and seals each entry once', async () => {
    await note('one');
    await seal();
    expect(await seal()).toBe(0);
    expect(await seals()).toHaveLength(1);
  });

  it('makes several seals of many entries', async () => {
    await note('many', 2_345);
    expect(await seal()).toBe(2_345);
    expect((await seals()).map((row) => row.rows)).toEqual([1_000, 1_000, 345]);
    expect((await verify()).breach).toBeNull();
  });

  it('seals an entry whose transaction commits late, later, and waits for none', async () => {
    await note('before');
    await seal();
    const late = new pg.Client({ connectionString: database.appUrl });
    await late.connect();
    try {
      await late.query('begin');
      await late.query(`select set_config('app.client_id', $1, true)`, [String(clientId)]);
      await late.query(
        `insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id)
         values ($1, 'user', '1', 'late', 'invoice', '9')`,
        [clientId],
      );
      await note('after');
      await sealNow();
      expect(await sealedActions()).toEqual(['before']);
      await late.query('commit');
    } finally {
      await late.end();
    }
    await seal();
    expect(await sealedActions()).toEqual(['before', 'late', 'after']);
    expect((await verify()).breach).toBeNull();
  });

  it('skips none and repeats none while writers and sealers all work at once', async () => {
    const writer = async (): Promise<void> => {
      for (let round = 0; round < 25; round++) await note('busy', 2);
    };
    let isWriting = true;
    const sealer = async (): Promise<void> => {
      while (isWriting) await sealNow();
    };
    const sealers = [sealer(), sealer(), sealer()];
    await Promise.all([writer(), writer(), writer(), writer()]);
    isWriting = false;
    await Promise.all(sealers);
    await seal();
    const sealed = (await seals()).flatMap((row) => row.entry_ids.map(Number));
    expect(sealed).toHaveLength(200);
    expect(sealed.sort((a, b) => a - b)).toEqual((await ids()).map(Number));
    expect((await verify()).breach).toBeNull();
  }, 30_000);

  it('goes on after a restore into a cluster whose transactions count from lower numbers', async () => {
    await note('sealed in the old cluster', 2);
    await seal();
    await note('not yet sealed in the old cluster', 2);
    await superuser.query(
      'update audit_entries set xid = ((xid::text)::bigint + 1000000)::text::xid8 where client_id = $1',
      [clientId],
    );
    await superuser.query(
      'update audit_seals set to_xid = ((to_xid::text)::bigint + 1000000)::text::xid8 where client_id = $1',
      [clientId],
    );
    await note('written in the new cluster', 3);
    expect(await seal()).toBe(5);
    await note('and later');
    expect(await seal()).toBe(1);
    expect(await seal()).toBe(0);
    expect(await verify()).toMatchObject({ entries: 8, breach: null });
  });

  async function sealedActions(): Promise<string[]> {
    const { rows } = await superuser.query<{ action: string }>(
      `select e.action from audit_seals s, unnest(s.entry_ids) with ordinality i (id, place)
       join audit_entries e using (id) where s.client_id = $1 order by s.sequence, i.place`,
      [clientId],
    );
    return rows.map((row) => row.action);
  }
});

describe('verifyAuditSeals', () => {
  beforeEach(async () => {
    await note('one', 3);
    await seal();
    await note('two', 3);
    await seal();
  });

  it('names the first entry that was changed', async () => {
    const entry_id = Number((await ids())[1]);
    await superuser.query(`update audit_entries set details = '{"amount": 1}' where id = $1`, [entry_id]);
    expect((await verify()).breach).toEqual({ kind: 'entry_altered', sequence: 1, entry_id });
  });

  it.each(["at = at - interval '1 day'", `actor_id = '2'`, `subject_id = 'x'`, 'address = null', `action = 'other'`])(
    'notices %s',
    async (change) => {
      const entry_id = Number((await ids())[4]);
      await superuser.query(`update audit_entries set ${change} where id = $1`, [entry_id]);
      expect((await verify()).breach).toEqual({ kind: 'entry_altered', sequence: 2, entry_id });
    },
  );

  it('names an entry that was removed', async () => {
    const entry_id = Number((await ids())[5]);
    await superuser.query('delete from audit_entries where id = $1', [entry_id]);
    expect((await verify()).breach).toEqual({ kind: 'entry_missing', sequence: 2, entry_id });
  });

  it('names an entry that was slipped in among those sealed', async () => {
    const { rows } = await superuser.query<{ id: string }>(
      `insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id, xid)
       select client_id, 'user', '1', 'forged', 'invoice', '1', min(xid) from audit_entries where client_id = $1
       group by client_id returning id`,
      [clientId],
    );
    await seal();
    expect((await verify()).breach).toEqual({ kind: 'entry_inserted', entry_id: Number(rows[0]?.id) });
  });

  it('names a seal that was removed, and one that was antedated', async () => {
    await superuser.query('delete from audit_seals where client_id = $1 and sequence = 1', [clientId]);
    expect((await verify()).breach).toEqual({ kind: 'seal_missing', sequence: 1 });
    await superuser.query('delete from audit_seals where client_id = $1', [clientId]);
    await seal();
    await note('three');
    await seal();
    await superuser.query(
      `update audit_seals set sealed_at = sealed_at - interval '1 hour' where client_id = $1 and sequence = 2`,
      [clientId],
    );
    expect((await verify()).breach).toEqual({ kind: 'seal_altered', sequence: 2 });
  });

  it('can look at the seals of a period only, from the seal before it on', async () => {
    const [row] = (
      await superuser.query('select sealed_at from audit_seals where client_id = $1 and sequence = 2', [clientId])
    ).rows as { sealed_at: Date }[];
    expect(await verify({ since: row!.sealed_at })).toMatchObject({ seals: 1, first_sequence: 2, breach: null });
    expect(await verify({ until: new Date(row!.sealed_at.getTime() - 1) })).toMatchObject({
      seals: 1,
      last_sequence: 1,
    });
    expect(await verify({ since: new Date(Date.now() + 60_000) })).toMatchObject({ seals: 0, breach: null });
  });

  it('sees no hole where the clock was put back between two seals', async () => {
    await note('three');
    // A seal made while the clock was a day ahead, hash and all.
    await superuser.query(
      `update audit_seals n set sealed_at = s.sealed_at, hash = s.hash from (
         select n.client_id, n.sequence, n.sealed_at, ${SEAL_HASH} as hash
         from (select client_id, sequence, previous_hash, entry_hashes, sealed_at + interval '1 day' as sealed_at
           from audit_seals where client_id = $1 and sequence = 2) n) s
       where n.client_id = s.client_id and n.sequence = s.sequence`,
      [clientId],
    );
    await seal();
    expect(await verify()).toMatchObject({ seals: 3, breach: null });
    expect(await verify({ until: new Date(Date.now() + 60_000) })).toMatchObject({
      seals: 3,
      last_sequence: 3,
      breach: null,
    });
  });

  it('the hash of a seal can be computed by anyone', async () => {
    const { rows } = await superuser.query<{ row: string; at: Date; hash: Buffer; sequence: number; previous: Buffer }>(
      `select jsonb_build_array(e.id, e.client_id, (extract(epoch from e.at) * 1000)::bigint, e.actor_type, e.actor_id, e.action,
         e.subject_type, e.subject_id, e.address, e.details)::text as row,
         s.sealed_at as at, s.hash, s.sequence, s.previous_hash as previous
       from audit_seals s join audit_entries e on e.id = any(s.entry_ids) where s.client_id = $1 and s.sequence = 2 order by e.id`,
      [clientId],
    );
    const sha256 = (...parts: (string | Buffer)[]): Buffer =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
    const [seal] = rows;
    const place = `${String(clientId)}/2/${String(seal!.at.getTime())}`;
    expect(sha256(seal!.previous, place, ...rows.map((row) => sha256(row.row)))).toEqual(seal!.hash);
  });
});

describe('the trail', () => {
  const asRole = async (role: 'app' | 'system', sql: string): Promise<string> => {
    const url = role === 'app' ? database.appUrl : database.systemUrl;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`select set_config('app.client_id', $1, false)`, [String(clientId)]);
      await client.query(sql);
      return 'done';
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.end();
    }
  };
  const columns = `client_id, actor_type, actor_id, action, subject_type, subject_id`;

  it.each(['app', 'system'] as const)('can be added to by %s and never changed, emptied or dated', async (role) => {
    const values = `${String(clientId)}, 'user', '1', 'a', 'b', 'c'`;
    expect(await asRole(role, `insert into audit_entries (${columns}) values (${values})`)).toBe('done');
    for (const sql of [
      `update audit_entries set action = 'x'`,
      'delete from audit_entries',
      'truncate audit_entries',
      `insert into audit_entries (${columns}, xid) values (${values}, '3')`,
      `insert into audit_entries (${columns}, at) values (${values}, '2020-01-01')`,
      `insert into audit_entries (${columns}, id) values (${values}, 1)`,
      `update audit_seals set hash = ''`,
      'delete from audit_seals',
      'truncate audit_seals',
      'alter table audit_entries disable trigger all',
    ]) {
      expect([sql, await asRole(role, sql)]).toEqual([sql, '42501']);
    }
  });

  it('is sealed by nobody but the sealer', async () => {
    const sql = `insert into audit_seals (client_id, sequence, first_id, last_id, rows, entry_ids, entry_hashes, to_xid, to_id,
      previous_hash, hash) values (${String(clientId)}, 1, 1, 1, 0, '{}', '{}', '1', 1, '', '')`;
    expect(await asRole('app', sql)).toBe('42501');
  });
});
