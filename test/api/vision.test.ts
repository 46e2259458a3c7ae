import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { book, grantTrial } from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startReceiver } from '../support/stack.ts';
import type { Receiver } from '../support/stack.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const FILE = Buffer.from('%PDF-1.7 any bytes will do for a call that nobody works on').toString('base64');

let api: ApiFixture;
let receiver: Receiver;
let key: string;
beforeAll(async () => {
  receiver = await startReceiver();
  api = await startApi({ ALLOW_PRIVATE_TARGETS: 'false' });
  key = await api.acme.key(['vision:extract']);
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

const extract = (body: object, apiKey = key) =>
  api.http().post('/api/v1/vision/extract').set('Authorization', `Bearer ${apiKey}`).send(body);
const result = (id: string, apiKey = key) =>
  api.http().get(`/api/v1/vision/results/${id}`).set('Authorization', `Bearer ${apiKey}`);

describe('who may extract', () => {
  it('needs a bearer API key: none, a key in X-API-Key and an access token are refused', async () => {
    const bare = () => api.http().post('/api/v1/vision/extract');
    expectRefusal(await bare().send({}), 401, 'UNAUTHORIZED');
    expectRefusal(await bare().set('X-API-Key', key).send({}), 401, 'UNAUTHORIZED');
    expectRefusal(await extract({}, await api.acme.token()), 401, 'INVALID_API_KEY');
  });

  it('needs the scope vision:extract, before anything is looked at', async () => {
    expectRefusal(await extract({}, await api.acme.key(['vision:classify'])), 403, 'SCOPE_REQUIRED');
  });
});

describe('what is refused before any work', () => {
  it.each<[string, object, number, string, string]>([
    ['no source', {}, 400, 'BAD_REQUEST', 'file_base64'],
    ['two sources', { file_base64: FILE, file_url: 'https://example.com/a' }, 400, 'VALIDATION_ERROR', 'file_url'],
    ['no base64', { file_base64: 'not base64!' }, 400, 'VALIDATION_ERROR', 'file_base64'],
    ['base64 of a length that none has', { file_base64: 'QUJDR' }, 400, 'VALIDATION_ERROR', 'file_base64'],
    ['base64 with padding that is wrong', { file_base64: 'QUJD=' }, 400, 'VALIDATION_ERROR', 'file_base64'],
    ['an empty file', { file_base64: 'data:application/pdf;base64,' }, 400, 'VALIDATION_ERROR', 'file_base64'],
    ['a file that is no text', { file_base64: 7 }, 400, 'BAD_REQUEST', 'file_base64'],
    ['an address that is none', { file_url: 'somewhere' }, 400, 'VALIDATION_ERROR', 'file_url'],
    ['a file:// address', { file_url: 'file:///etc/passwd' }, 400, 'VALIDATION_ERROR', 'file_url'],
    ['an unknown type', { file_base64: FILE, document_type: 'poem' }, 400, 'VALIDATION_ERROR', 'document_type'],
    [
      'a threshold above 1',
      { file_base64: FILE, confidence_threshold: 2 },
      400,
      'VALIDATION_ERROR',
      'confidence_threshold',
    ],
    [
      'a language that is none',
      { file_base64: FILE, language_hint: 'english' },
      400,
      'VALIDATION_ERROR',
      'language_hint',
    ],
    [
      'a callback over ftp',
      { file_base64: FILE, webhook_url: 'ftp://a.example' },
      400,
      'VALIDATION_ERROR',
      'webhook_url',
    ],
    [
      'a language of two letters that is none',
      { file_base64: FILE, language_hint: 'zz' },
      400,
      'VALIDATION_ERROR',
      'language_hint',
    ],
    [
      'a callback to a private address',
      { file_base64: FILE, webhook_url: 'http://[::ffff:10.0.0.1]/hook' },
      400,
      'VALIDATION_ERROR',
      'webhook_url',
    ],
    [
      'a callback with a password in its address',
      { file_base64: FILE, webhook_url: 'https://user:secret@example.com/hook' },
      400,
      'VALIDATION_ERROR',
      'webhook_url',
    ],
    ['an unknown field', { file_base64: FILE, documenttype: 'x' }, 400, 'VALIDATION_ERROR', 'documenttype'],
    [
      'a rule of no kind',
      { file_base64: FILE, validation: { custom_rules: [{ field: 'total', rule: 'nice' }] } },
      400,
      'VALIDATION_ERROR',
      'validation.custom_rules[0].rule',
    ],
    ...(
      [
        ['a pattern that is none', 'regex', '('],
        ['a least value that is no number', 'min', 'plenty'],
        ['no value to compare with', 'date_after', undefined],
        ['a list that is none', 'one_of', 'ZAR'],
        ['a list that is too long', 'one_of', ['ZAR'.repeat(10_000)]],
      ] as const
    ).map(
      ([what, rule, value]) =>
        [
          `a rule with ${what}`,
          { file_base64: FILE, validation: { custom_rules: [{ field: 'total', rule, value }] } },
          400,
          'VALIDATION_ERROR',
          'validation.custom_rules[0].value',
        ] as [string, object, number, string, string],
    ),
  ])('%s', async (_what, body, status, code, field) => {
    const answer = await extract(body);
    expectRefusal(answer, status, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('an unknown custom model is a 404', async () => {
    expectRefusal(await extract({ file_base64: FILE, document_type: 'custom:mine' }), 404, 'NOT_FOUND');
  });

  it('a private file_url is refused without a request to it', async () => {
    const { port } = new URL(receiver.url);
    const metadata = 'http://169.254.169.254/latest/meta-data/';
    for (const url of [receiver.url, `http://localhost:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`, metadata]) {
      const answer = await extract({ file_url: url });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'file_url' })]);
    }
    expect(receiver.requests).toEqual([]);
  });

  it('a file over 20 MiB is a 413 that names its field', async () => {
    const answer = await extract({ file_base64: Buffer.alloc(20 * 1_048_576 + 1, 'x').toString('base64') });
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.body.error.details).toEqual([{ field: 'file_base64', issue: 'is larger than 20 MiB' }]);
  });

  it('a call without credits is a 422 that leaves no row, no hold, no workflow and no file', async () => {
    const { clientId } = api.acme;
    await api.services.tenants.transaction(clientId, async (tx) => {
      await grantTrial(tx);
      await book(tx, { clientId, reference: 'all of it', step: 'hold', amount: -30 });
    });
    const answer = await extract({ file_base64: FILE, async: true });
    expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
    expect(answer.body.error.details).toEqual([
      { field: 'credits_remaining', issue: '0' },
      { field: 'credits_required', issue: '1' },
    ]);
    expect(await api.services.blobs.exists(`vision/${String(answer.body.error.request_id)}/source`)).toBe(false);
    for (const table of ['vision_requests', 'workflow_starts', 'unclaimed_blobs']) {
      const rows = await api.services.system.query(statement(`select from ${table} where client_id = $1`), [
        api.acme.clientId,
      ]);
      expect({ table, rows: rows.length }).toEqual({ table, rows: 0 });
    }
    const entries = await api.services.system.query(statement('select step from credit_entries where client_id = $1'), [
      clientId,
    ]);
    expect(entries).toEqual([{ step: 'grant' }, { step: 'hold' }]);
  });
});

describe('an asynchronous call', () => {
  it('answers 202 with flat fields; its result is queued, and 404 for another client', async () => {
    const tenant = await api.tenant('payer', { tier: 'business' });
    const own = await tenant.key(['vision:extract']);
    await api.services.tenants.transaction(tenant.clientId, (tx) =>
      book(tx, { clientId: tenant.clientId, reference: 'test', step: 'grant', amount: 2 }),
    );
    const answer = await extract(
      { file_base64: `data:application/pdf;name=invoice.pdf;base64,${FILE}`, async: true },
      own,
    );
    expect(answer.status).toBe(202);
    const { request_id: id } = answer.body;
    expect(answer.body).toEqual({ success: true, request_id: id, status: 'queued', meta: expect.any(Object) });
    expect((await result(id, own)).body).toMatchObject({ success: true, request_id: id, status: 'queued' });
    expectRefusal(await result(id), 404, 'NOT_FOUND');
    const balance = statement('select sum(amount)::float8 as left from credit_entries where client_id = $1');
    expect(await api.services.system.query(balance, [tenant.clientId])).toEqual([{ left: 1 }]);
  });

  it('an id that nobody has is a 404, and one that is none a 400', async () => {
    expectRefusal(await result(randomUUID()), 404, 'NOT_FOUND');
    expectRefusal(await result('7'), 400, 'VALIDATION_ERROR');
  });
});
