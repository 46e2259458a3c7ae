import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Response } from 'supertest';
import { fingerprintOf } from '../../api/http/idempotency.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

let names = 0;
const fresh = (): string => `key-${String((names += 1))}`;
const job = (title: string) => ({ action: 'create-work-item', item_type: 'job', title });

function send(idempotencyKey: string, body: object, apiKey = key, path = '/api/v1/public/data'): Promise<Response> {
  return api
    .http()
    .post(path)
    .set('X-API-Key', apiKey)
    .set('Idempotency-Key', idempotencyKey)
    .send(body)
    .then((answer) => answer);
}

const COUNT = statement(`select count(*) as items from work_items where client_id = $1 and title = $2`);
async function itemsTitled(title: string): Promise<number> {
  const [row] = await api.services.system.query<{ items: number }>(COUNT, [api.acme.clientId, title]);
  return row?.items ?? 0;
}

describe('the same Idempotency-Key, method, path and body', () => {
  it('gives the stored status and body again, marked as a replay, and does nothing more', async () => {
    const idempotencyKey = fresh();
    const first = await send(idempotencyKey, job('once'));
    const again = await send(idempotencyKey, job('once'));
    expect(first.status).toBe(200);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.status).toBe(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(again.headers['x-request-id']).toBe(again.body.meta.request_id);
    expect(await itemsTitled('once')).toBe(1);
  });

  it('takes a body whose fields stand in another order for the same', async () => {
    const idempotencyKey = fresh();
    await send(idempotencyKey, { action: 'create-work-item', item_type: 'job', title: 'order', tags: ['a'] });
    const again = await send(idempotencyKey, {
      tags: ['a'],
      title: 'order',
      action: 'create-work-item',
      item_type: 'job',
    });
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('replays a refusal of the request too, details and all, whose effect was rolled back', async () => {
    const idempotencyKey = fresh();
    const body = { ...job('refused'), contact_id: 999_999 };
    const first = await send(idempotencyKey, body);
    const again = await send(idempotencyKey, body);
    expect(first.status).toBeGreaterThanOrEqual(400);
    expect(again.status).toBe(first.status);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await itemsTitled('refused')).toBe(0);
  });

  it('works on REST routes, with 201 and top-level keys, and keeps the one-time secret encrypted at rest', async () => {
    const create = () =>
      api
        .http()
        .post('/api/v1/integrations/api-keys')
        .set('Authorization', `Bearer ${token}`)
        .set('Idempotency-Key', idempotencyKey)
        .send({ key_name: 'idempotent', environment: 'testing', permissions: {} });
    const token = await api.acme.token();
    const idempotencyKey = fresh();
    const first = await create();
    const again = await create();
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(first.body.api_key).toMatch(/^svc_sk_/);
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    const { rows } = await superuser.query(`select answer from idempotency_records where key = $1`, [idempotencyKey]);
    await superuser.end();
    expect(rows).toHaveLength(1);
    const stored = (rows[0] as { answer: Buffer }).answer.toString('latin1');
    expect(stored).not.toContain(first.body.api_key);
    expect(stored).not.toContain('key_name');
  });

  it('gives the answer again in the version that the repetition asks for', async () => {
    const idempotencyKey = fresh();
    await send(idempotencyKey, job('versioned'));
    const again = await api
      .http()
      .post('/api/v1/public/data')
      .set({ 'X-API-Key': key, 'Idempotency-Key': idempotencyKey, 'X-API-Version': '2026-01-01' })
      .send(job('versioned'));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.meta.api_version).toBe('2026-01-01');
  });
});

describe('what is kept of a request', () => {
  it('is a keyed digest: a password in its body can’t be found by guessing', async () => {
    const idempotencyKey = fresh();
    const body = { current_password: 'wrong wrong wrong', new_password: 'a long new password' };
    const path = '/api/v1/auth/change-password';
    const answer = await api
      .http()
      .post(path)
      .set('Authorization', `Bearer ${await api.acme.token('member')}`)
      .set('Idempotency-Key', idempotencyKey)
      .send(body);
    expect(answer.status).toBe(403);
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    const { rows } = await superuser.query<{ fingerprint: Buffer }>(
      `select fingerprint from idempotency_records where key = $1`,
      [idempotencyKey],
    );
    await superuser.end();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.fingerprint.equals(fingerprintOf('POST', path, body))).toBe(false);
  });
});

describe('the same Idempotency-Key for something else', () => {
  it.each([
    ['another body', () => send('used', job('other'))],
    ['another path', () => send('used', job('first'), key, '/api/v1/public/data?x=1')],
    [
      'another method and path',
      () =>
        api
          .http()
          .delete('/api/v1/integrations/api-keys/1')
          .set('Authorization', `Bearer ${owner}`)
          .set('Idempotency-Key', 'used')
          .then((a) => a),
    ],
    ['another key of the same client', async () => send('used', job('first'), await api.acme.key())],
  ])('409 IDEMPOTENCY_CONFLICT: %s', async (_what, repeat) => {
    owner = await api.acme.token();
    await send('used', job('first'));
    const answer = await repeat();
    expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT');
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
  });
  let owner = '';

  it('is free for another client', async () => {
    const theirs = await api.rival.key();
    await send('used', job('first'));
    const answer = await send('used', job('theirs'), theirs);
    expect(answer.status).toBe(200);
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
  });
});

describe('authentication and scope', () => {
  it('come before a replay', async () => {
    const reader = await api.acme.key(['work_items:read']);
    const idempotencyKey = fresh();
    await send(idempotencyKey, job('scoped'));
    expectRefusal(await send(idempotencyKey, job('scoped'), reader), 403, 'SCOPE_REQUIRED');
    expectRefusal(await send(idempotencyKey, job('scoped'), 'svc_sk_nonsense'), 401, 'INVALID_API_KEY');
  });
});

describe('50 simultaneous requests with one key', () => {
  it('have one effect: one is answered, the rest are 409 with Retry-After, and replays afterwards', async () => {
    const idempotencyKey = fresh();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(idempotencyKey, job('race'))));
    const fresh2xx = answers.filter((a) => a.status === 200 && a.headers['idempotency-replayed'] === undefined);
    const replayed = answers.filter((a) => a.headers['idempotency-replayed'] === 'true');
    const running = answers.filter((a) => a.status === 409);
    expect(fresh2xx).toHaveLength(1);
    expect(fresh2xx.length + replayed.length + running.length).toBe(50);
    for (const answer of running) {
      expectRefusal(answer, 409, 'CONFLICT');
      expect(answer.headers['retry-after']).toBe('1');
    }
    const later = await send(idempotencyKey, job('race'));
    expect(later.body).toEqual(fresh2xx[0]?.body);
    expect(later.headers['idempotency-replayed']).toBe('true');
    expect(await itemsTitled('race')).toBe(1);
  });
});

describe('a failure of ours', () => {
  it('is not kept: the retry does the work', async () => {
    const idempotencyKey = fresh();
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    await superuser.query('revoke insert on events from app');
    try {
      expectRefusal(await send(idempotencyKey, job('5xx')), 500, 'INTERNAL_ERROR');
    } finally {
      await superuser.query('grant insert on events to app');
      await superuser.end();
    }
    const retry = await send(idempotencyKey, job('5xx'));
    expect(retry.status).toBe(200);
    expect(retry.headers['idempotency-replayed']).toBeUndefined();
    expect(await itemsTitled('5xx')).toBe(1);
  });
});

describe('the key itself', () => {
  it('has at most 255 characters', async () => {
    expect((await send('k'.repeat(255), job('long'))).status).toBe(200);
    expectRefusal(await send('k'.repeat(256), job('long')), 400, 'VALIDATION_ERROR');
  });

  it('is ignored on reads', async () => {
    const idempotencyKey = fresh();
    await send(idempotencyKey, { action: 'list-work-items', limit: 1 });
    const other = await send(idempotencyKey, { action: 'list-work-items', limit: 2 });
    expect(other.status).toBe(200);
  });

  it('is free again after 24 hours', async () => {
    const idempotencyKey = fresh();
    await send(idempotencyKey, job('yesterday'));
    api.clock.advance(86_399);
    expect((await send(idempotencyKey, job('yesterday'))).headers['idempotency-replayed']).toBe('true');
    api.clock.advance(2);
    const answer = await send(idempotencyKey, job('today'));
    expect(answer.status).toBe(200);
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
    api.clock.advance(-86_401);
  });
});

describe('a batch', () => {
  const batch = (idempotencyKey: string, titles: string[]) =>
    send(
      idempotencyKey,
      {
        operations: titles.map((title) => ({
          action: 'create-work-item',
          params: { item_type: 'job', title },
        })),
      },
      key,
      '/api/v1/public/data/batch',
    );

  it('is answered again as a whole', async () => {
    const idempotencyKey = fresh();
    const first = await batch(idempotencyKey, ['b1', 'b2']);
    const again = await batch(idempotencyKey, ['b1', 'b2']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await itemsTitled('b1')).toBe(1);
    expectRefusal(await batch(idempotencyKey, ['b1', 'b3']), 409, 'IDEMPOTENCY_CONFLICT');
  });

  it('that died resumes: what it had done is not done again', async () => {
    const idempotencyKey = fresh();
    await batch(idempotencyKey, ['resumed 1', 'resumed 2', 'resumed 3']);
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    // As a crash leaves it: the claim of the whole still open, its lease over, two operations done and one not.
    await superuser.query(
      `update idempotency_records set status = null, answer = null, lease_until = now() - interval '1 second'
       where key = $1 and part = ''`,
      [idempotencyKey],
    );
    await superuser.query(`delete from idempotency_records where key = $1 and part = 'op-3'`, [idempotencyKey]);
    await superuser.query(`delete from work_items where title = 'resumed 3'`);
    await superuser.end();
    const again = await batch(idempotencyKey, ['resumed 1', 'resumed 2', 'resumed 3']);
    expect(again.body.data).toMatchObject({ succeeded: 3, failed: 0 });
    for (const title of ['resumed 1', 'resumed 2', 'resumed 3']) expect(await itemsTitled(title)).toBe(1);
  });

  it('that still runs elsewhere is 409 CONFLICT', async () => {
    const idempotencyKey = fresh();
    await batch(idempotencyKey, ['leased']);
    const superuser = new pg.Client({ connectionString: api.database.superuserUrl });
    await superuser.connect();
    await superuser.query(
      `update idempotency_records set status = null, answer = null, lease_until = now() + interval '9 seconds'
       where key = $1 and part = ''`,
      [idempotencyKey],
    );
    await superuser.end();
    expectRefusal(await batch(idempotencyKey, ['leased']), 409, 'CONFLICT');
  });
});

describe('an MCP tool call', () => {
  it('replays by its tool and arguments, whatever its JSON-RPC id', async () => {
    const idempotencyKey = fresh();
    const call = (id: number) =>
      send(
        idempotencyKey,
        {
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'create-work-item', arguments: { item_type: 'task', title: 'mcp once' } },
        },
        key,
        '/api/v1/public/mcp',
      );
    const [first, again] = [await call(1), await call(2)];
    expect(again.body.result).toEqual(first.body.result);
    expect(await itemsTitled('mcp once')).toBe(1);
  });
});
