import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Response } from 'supertest';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';
import { book } from '../../domain/vision/index.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { startReceiver } from '../support/stack.ts';
import type { Receiver, Reply } from '../support/stack.ts';
import { expectRawRefusal, startHostileServer } from './hostile-server.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const DATA = '/api/v1/public/data';
const FILE = Buffer.from('%PDF-1.4').toString('base64');

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  // Nothing listens there: a synchronous extraction is left to the outbox, and no worker ever takes it.
  api = await startApi({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  key = await api.acme.key();
});
afterAll(() => api.close());

const act = (body: unknown, apiKey = key): Promise<Response> => api.act(apiKey, body);
const extract = (body: object) =>
  api.http().post('/api/v1/vision/extract').set('Authorization', `Bearer ${key}`).timeout(20_000).send(body);
const me = (token: string) => api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);
const createKey = async (token: Promise<string>, body: object): Promise<Response> =>
  api
    .http()
    .post('/api/v1/integrations/api-keys')
    .set('Authorization', `Bearer ${await token}`)
    .send({ key_name: 'x', environment: 'testing', permissions: { 'work_items:read': true }, ...body });

/** Which codes have been seen; the last test holds them against the table. */
const seen = new Set<ErrorCode>();
function expectCode(answer: Response, code: ErrorCode): void {
  expectRefusal(answer, ERROR_STATUS[code], code);
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d|permission denied|work_items_/);
  seen.add(code);
}

async function asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: api.database.superuserUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('a file_url that can be reached', () => {
  let upstream: Receiver;
  beforeAll(async () => {
    upstream = await startReceiver(200);
  });
  afterAll(() => upstream.close());

  it.each<[string, Reply, number, string]>([
    ['a failure', 500, 502, 'BAD_GATEWAY'],
    ['nothing there', 404, 502, 'BAD_GATEWAY'],
    ['a broken connection', 'reset', 502, 'BAD_GATEWAY'],
    ['a file of more than 20 MiB', { status: 200, body: 'x'.repeat(20 * 1_048_576 + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('and answers %s', async (_what, reply, status, code) => {
    upstream.respondWith(reply);
    expectRefusal(await extract({ file_url: upstream.url }), status, code);
  });

  it('and does not answer: 504 GATEWAY_TIMEOUT', async () => {
    upstream.respondWith('hang');
    expectRefusal(await extract({ file_url: upstream.url }), 504, 'GATEWAY_TIMEOUT');
  }, 25_000);
});

describe('each code of the table', () => {
  it('BAD_REQUEST: a missing and a wrongly typed field, with their paths', async () => {
    const answer = await act({ action: 'create-work-item', item_type: 'job', tags: [7] });
    expectCode(answer, 'BAD_REQUEST');
    expect(answer.body.error.details).toEqual([
      { field: 'title', issue: 'is required' },
      { field: 'tags[0]', issue: 'must be a string' },
    ]);
  });

  it('VALIDATION_ERROR: a value that does not fit, with its path', async () => {
    const answer = await act({
      action: 'create-work-item',
      item_type: 'job',
      title: 'x',
      location_coordinates: { lat: 91, lng: 0 },
    });
    expectCode(answer, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([
      { field: 'location_coordinates.lat', issue: expect.stringContaining('90') },
    ]);
  });

  it('INVALID_ACTION: an action that is none', async () => {
    expectCode(await act({ action: 'make-coffee' }), 'INVALID_ACTION');
  });

  it('UNAUTHORIZED: no credential', async () => {
    expectCode(await api.http().get(DATA), 'UNAUTHORIZED');
  });

  it('INVALID_API_KEY: a key with a typing error', async () => {
    expectCode(await act({ action: 'list-work-items' }, `${key.slice(0, -1)}!`), 'INVALID_API_KEY');
  });

  it('FORBIDDEN: a production key without production access', async () => {
    expectCode(await createKey(api.rival.token(), { environment: 'production' }), 'FORBIDDEN');
  });

  it('IP_NOT_ALLOWED: from an address that the key does not list', async () => {
    const bound = await api.acme.key(['*'], { allowed_ips: ['192.0.2.1'] });
    expectCode(await act({ action: 'list-work-items' }, bound), 'IP_NOT_ALLOWED');
  });

  it('SCOPE_REQUIRED: a key without the scope', async () => {
    const reader = await api.acme.key(['work_items:read']);
    expectCode(await act({ action: 'create-work-item', item_type: 'job', title: 'x' }, reader), 'SCOPE_REQUIRED');
  });

  it('TIER_RESTRICTED: a finance event outside the finance tier', async () => {
    const answer = await api
      .http()
      .post('/api/v1/work-items/webhooks')
      .set('Authorization', `Bearer ${await api.rival.token()}`)
      .send({ name: 'x', endpoint_url: 'https://erp.example/x', events: ['invoice.issued'] });
    expectCode(answer, 'TIER_RESTRICTED');
  });

  it('NOT_FOUND: another client’s record, and no record, read the same', async () => {
    const made = await act({ action: 'create-work-item', item_type: 'job', title: 'x' });
    const theirs = await api.rival.key();
    const get = (id: string, apiKey: string) => act({ action: 'get-work-item', work_item_id: id }, apiKey);
    const id = made.body.data.work_item_id as string;
    expect((await get(id, key)).status).toBe(200);
    const refused = await get(id, theirs);
    expectCode(refused, 'NOT_FOUND');
    const none = await get('00000000-0000-4000-8000-000000000000', theirs);
    expect(none.body.error.message.replace(/[\da-f-]{36}/, '')).toBe(
      refused.body.error.message.replace(/[\da-f-]{36}/, ''),
    );
  });

  it('METHOD_NOT_ALLOWED: a known path, another method', async () => {
    const answer = await api.http().delete(DATA);
    expectCode(answer, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toContain('POST');
  });

  it('CONFLICT: the first request with the same Idempotency-Key still runs', async () => {
    const send = () =>
      api
        .http()
        .post(DATA)
        .set('X-API-Key', key)
        .set('Idempotency-Key', 'slow')
        .send({ action: 'create-work-item', item_type: 'job', title: 'slow' });
    await asSuperuser(async (client) => {
      await client.query('begin; lock table work_items in exclusive mode');
      const first = send().then((answer) => answer);
      await expectWaiting(client);
      const second = await send();
      expectCode(second, 'CONFLICT');
      expect(second.headers['retry-after']).toBe('1');
      await client.query('rollback');
      expect((await first).status).toBe(200);
    });
  });

  it('IDEMPOTENCY_CONFLICT: the same key with another body', async () => {
    const send = (title: string) =>
      api
        .http()
        .post(DATA)
        .set('X-API-Key', key)
        .set('Idempotency-Key', 'twice')
        .send({ action: 'create-work-item', item_type: 'job', title });
    expect((await send('a')).status).toBe(200);
    expectCode(await send('b'), 'IDEMPOTENCY_CONFLICT');
  });

  it('PAYLOAD_TOO_LARGE: a body of more than 1 MiB', async () => {
    expectCode(await act({ action: 'list-work-items', note: 'x'.repeat(1_048_576) }), 'PAYLOAD_TOO_LARGE');
  });

  it('UNSUPPORTED_MEDIA_TYPE: a body that is no JSON', async () => {
    const answer = await api.http().post(DATA).set('X-API-Key', key).set('Content-Type', 'text/xml').send('<a/>');
    expectCode(answer, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('UNPROCESSABLE_ENTITY: a rule of the business', async () => {
    expectCode(await createKey(api.acme.token(), { rate_limit_per_minute: 5_001 }), 'UNPROCESSABLE_ENTITY');
  });

  it('RATE_LIMITED: more requests than the key may make', async () => {
    const limited = await api.acme.key(['*'], { rate_limit_per_minute: 2 });
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await act({ action: 'list-work-items' }, limited));
    expectCode(answers[2]!, 'RATE_LIMITED');
    expect(Number(answers[2]!.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('INTERNAL_ERROR: the id in the answer, the stack in the log only', async () => {
    await asSuperuser((client) => client.query('revoke select on work_items from app'));
    const answer = await act({ action: 'list-work-items' });
    await asSuperuser((client) => client.query('grant select on work_items to app'));
    expectCode(answer, 'INTERNAL_ERROR');
    const logged = api.logLines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'unexpected error');
    expect(logged).toMatchObject({
      request_id: answer.body.error.request_id,
      err: { message: expect.stringContaining('permission denied'), stack: expect.stringContaining('.ts:') },
    });
    expect((await act({ action: 'list-work-items' })).status).toBe(200);
  });

  it('BAD_GATEWAY: the server behind file_url is not there', async () => {
    const answer = await extract({ file_url: 'http://127.0.0.1:1/invoice.pdf' });
    expectCode(answer, 'BAD_GATEWAY');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'file_url' })]);
  });

  it('SERVICE_UNAVAILABLE: the database takes no connections; and it heals', async () => {
    const { name } = api.database;
    await asSuperuser(async (client) => {
      await client.query(`alter database ${name} connection limit 0`);
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename in ('app', 'system')`,
      );
    });
    const answer = await act({ action: 'list-work-items' });
    await asSuperuser((client) => client.query(`alter database ${name} connection limit -1`));
    expectCode(answer, 'SERVICE_UNAVAILABLE');
    expect(answer.headers['retry-after']).toBe('1');
    expect((await act({ action: 'list-work-items' })).status).toBe(200);
  });

  it('GATEWAY_TIMEOUT: a synchronous extraction beyond its budget', async () => {
    const { clientId } = api.acme;
    await api.services.system.transaction((tx) => book(tx, { clientId, reference: 'test', step: 'grant', amount: 1 }));
    const waiting = extract({ file_base64: FILE }).then((answer) => answer);
    const ticking = setInterval(() => api.clock.advance(5), 500);
    const answer = await waiting;
    clearInterval(ticking);
    expectCode(answer, 'GATEWAY_TIMEOUT');
    expect(answer.body.error.message).toContain(`/api/v1/vision/results/${answer.body.error.request_id as string}`);
  });

  it('REQUEST_TIMEOUT and HEADERS_TOO_LARGE: what HTTP itself can get wrong', async () => {
    const server = await startHostileServer(api.services, { headersTimeoutMs: 200, checkIntervalMs: 50 });
    const slow = new RawConnection(server.url);
    try {
      slow.send('GET / HTTP/1.1\r\nHost: ');
      expectRawRefusal(await slow.answer(), 408, 'REQUEST_TIMEOUT');
      const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
      expectRawRefusal(await rawRequest(server.url, large), 431, 'HEADERS_TOO_LARGE');
      seen.add('REQUEST_TIMEOUT').add('HEADERS_TOO_LARGE');
    } finally {
      slow.close();
      await server.close();
    }
  });

  // The clock moves from here on.
  it('TOKEN_EXPIRED: an access token after 15 minutes', async () => {
    const token = await api.acme.token();
    expect((await me(token)).status).toBe(200);
    api.clock.advance(15 * 60 + 1);
    expectCode(await me(token), 'TOKEN_EXPIRED');
  });

  it('GONE: an action after its sunset, with the way to its migration guide', async () => {
    api.clock.advance(2 * 366 * 86_400);
    const answer = await act({ action: 'get-work-items' });
    expectCode(answer, 'GONE');
    expect(answer.body.error.migration_guide_url).toMatch(/\/docs\/migrations\//);
  });

  it('none is left out, and each has its page', async () => {
    expect([...seen].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
    for (const code of seen) expect((await api.http().get(`/docs/errors/${code}`)).status).toBe(200);
  });
});

/** Until a statement of the API waits for our lock. */
async function expectWaiting(client: pg.Client): Promise<void> {
  for (let n = 0; n < 200; n += 1) {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((rowCount ?? 0) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('no statement waits');
}
