import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_SAMPLES, MODELS_BY_TIER } from '../../domain/contracts/vision-models.ts';
import { DOCUMENT_TYPES } from '../../domain/contracts/vision.ts';
import { trainingFolder } from '../../domain/vision/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

const AUDIT = statement(`
  select action, details from audit_entries where client_id = $1 and subject_type = 'vision_model' and subject_id = $2 order by id`);
const SAMPLES = statement(`select count(*)::int as count from vision_samples where client_id = $1 and model_id = $2`);
const STARTS = statement(`
  select workflow_type, workflow_id, task_queue, input from workflow_starts where client_id = $1 order by id`);

const FIELDS = [
  { name: 'policy_number', type: 'string', required: true },
  { name: 'premium', type: 'currency', required: false },
  { name: 'covers', type: 'table', columns: ['cover', 'amount'] },
];
const FILE = Buffer.from('%PDF-1.4 a sample').toString('base64');

let api: ApiFixture;
let owner: ApiTenant;
let key: string;
beforeAll(async () => {
  api = await startApi();
  owner = await api.tenant('underwriter', { tier: 'enterprise' });
  key = await owner.key(['vision:models', 'vision:extract', 'vision:pipeline']);
});
afterAll(() => api.close());

type Method = 'get' | 'post' | 'delete' | 'put';

async function call(method: Method, path: string, body?: object, as = key) {
  const asked = api.http()[method](`/api/v1/vision/${path}`).set('Authorization', `Bearer ${as}`);
  const answer = await (body === undefined ? asked : asked.send(body));
  return { status: answer.status, body: answer.body as Record<string, unknown> };
}

async function create(fields: object[] = FIELDS, as = key): Promise<string> {
  const { body } = await call('post', 'models', { name: 'Policies', document_type: 'custom', fields }, as);
  return (body['model'] as { id: string }).id;
}

const sample = (annotations: object = { policy_number: 'P-1' }) => ({ file_base64: FILE, annotations });
const train = (id: string, documents: unknown, as = key) => call('post', `models/${id}/train`, { documents }, as);

/** Status, code and the first field that is named. */
function refusal({ status, body }: { status: number; body: Record<string, unknown> }) {
  const { code, details } = body['error'] as { code: string; details?: { field: string; issue: string }[] };
  return { status, code, field: details?.[0]?.field, issue: details?.[0]?.issue };
}

describe('POST /models', () => {
  it('makes a draft and answers 201 with its definition, and GET shows the same', async () => {
    const made = await call('post', 'models', { name: 'Policies', document_type: 'custom', fields: FIELDS });
    expect(made).toMatchObject({
      status: 201,
      body: {
        success: true,
        model: {
          name: 'Policies',
          type: 'custom',
          document_type: 'custom',
          status: 'draft',
          fields: FIELDS,
          samples: 0,
          accuracy: null,
          version: null,
        },
      },
    });
    const { id } = made.body['model'] as { id: string };
    expect(id).toMatch(/^mdl_[a-z0-9]{20}$/);
    const shown = await call('get', `models/${id}`);
    expect(shown.body['model']).toEqual(made.body['model']);
    const trail = await api.services.system.query(AUDIT, [owner.clientId, id]);
    expect(trail).toEqual([{ action: 'document_ai.model_created', details: { name: 'Policies' } }]);
  });

  it.each([
    ['no fields', { fields: [] }, 'fields'],
    [
      '101 fields',
      { fields: Array.from({ length: 101 }, (_, n) => ({ name: `f${String(n)}`, type: 'text' })) },
      'fields',
    ],
    ['two of one name', { fields: [FIELDS[0], FIELDS[0]] }, 'fields[1].name'],
    ['a name that is no name', { fields: [{ name: 'a b; drop', type: 'text' }] }, 'fields[0].name'],
    ['a name of JavaScript’s own', { fields: [{ name: 'constructor', type: 'text' }] }, 'fields[0].name'],
    ['__proto__', { fields: [{ name: '__proto__', type: 'text' }] }, 'fields[0].name'],
    ['a table without columns', { fields: [{ name: 't', type: 'table' }] }, 'fields[0].columns'],
    ['a column named twice', { fields: [{ name: 't', type: 'table', columns: ['a', 'a'] }] }, 'fields[0].columns'],
    ['an unknown type', { fields: [{ name: 't', type: 'blob' }] }, 'fields[0].type'],
    ['another document type', { document_type: 'invoice' }, 'document_type'],
    ['a blank name', { name: '  ' }, 'name'],
  ])('refuses %s and names the field', async (_, change, field) => {
    const answer = await call('post', 'models', { name: 'Policies', fields: FIELDS, ...change });
    expect(refusal(answer)).toMatchObject({ status: 400, field });
  });

  it('has room for as many models as the tier says', async () => {
    const small = await api.tenant('small', { tier: 'free' });
    const own = await small.key(['vision:models']);
    const most = MODELS_BY_TIER['free'] ?? 0;
    await Promise.all(
      Array.from({ length: most + 2 }, () => call('post', 'models', { name: 'x', fields: FIELDS }, own)),
    );
    const listed = await call('get', 'models?type=custom', undefined, own);
    expect(listed.body['models']).toHaveLength(most);
    const answer = await call('post', 'models', { name: 'x', fields: FIELDS }, own);
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'TIER_RESTRICTED' });
  });
});

describe('GET /models', () => {
  it('lists the fourteen pre-trained types with their fields, then the client’s own', async () => {
    const id = await create();
    const { body } = await call('get', 'models');
    const models = body['models'] as Record<string, unknown>[];
    expect(models.slice(0, 14).map((model) => model['document_type'])).toEqual([...DOCUMENT_TYPES]);
    expect(models[0]).toMatchObject({ id: 'invoice', type: 'pretrained', status: 'ready', accuracy: null });
    expect(models[0]?.['fields']).toContainEqual({ name: 'total', type: 'number' });
    expect(models[14]).toMatchObject({ id, type: 'custom', status: 'draft' });
    const { body: window } = await call('get', 'models?limit=2&offset=13');
    expect((window['models'] as { id: string }[]).map((model) => model.id)).toEqual(['supplier_statement', id]);
  });

  it('may be read with any Document AI scope, and changed with vision:models only', async () => {
    const reader = await owner.key(['vision:extract']);
    expect(await call('get', 'models', undefined, reader)).toMatchObject({ status: 200 });
    for (const [method, path, body] of [
      ['post', 'models', { name: 'x', fields: FIELDS }],
      ['delete', 'models/mdl_x', undefined],
      ['post', 'models/mdl_x/train', { documents: [] }],
      ['post', 'models/mdl_x/rollback', {}],
      ['put', 'ledger-accounts', { accounts: [] }],
    ] as const) {
      expect(refusal(await call(method, path, body, reader))).toMatchObject({ status: 403, code: 'SCOPE_REQUIRED' });
    }
  });

  it('another client’s model is not there: not to read, train, roll back, delete or extract with', async () => {
    const id = await create();
    const stranger = await (await api.tenant('stranger', { tier: 'business' })).key(['*']);
    const answers = await Promise.all([
      call('get', `models/${id}`, undefined, stranger),
      train(id, [sample(), sample()], stranger),
      call('post', `models/${id}/rollback`, {}, stranger),
      call('delete', `models/${id}`, undefined, stranger),
      call('post', 'extract', { file_base64: FILE, document_type: `custom:${id}` }, stranger),
    ]);
    for (const answer of answers) expect(refusal(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await call('get', 'models', undefined, stranger)).body['models']).toHaveLength(14);
    expect(await call('get', `models/${id}`)).toMatchObject({ status: 200 });
  });
});

describe('POST /models/{id}/train', () => {
  it('answers 202, keeps the samples and asks for the workflow; a second one meanwhile is 409', async () => {
    const id = await create();
    const documents = [
      sample(),
      sample({ policy_number: { value: 'P-2', bbox: { x: 1, y: 2, width: 3, height: 4, page: 1 } } }),
    ];
    const answer = await train(id, documents);
    expect(answer).toMatchObject({
      status: 202,
      body: { success: true, model_id: id, status: 'training', samples: 2 },
    });
    const trainingId = String(answer.body['training_id']);
    expect((await call('get', `models/${id}`)).body['model']).toMatchObject({
      status: 'training',
      samples: 2,
      version: null,
      last_training: { training_id: trainingId, status: 'training', error: null },
    });
    const starts = await api.services.system.query(STARTS, [owner.clientId]);
    expect(starts).toContainEqual({
      workflow_type: 'trainModel',
      workflow_id: `train/${trainingId}`,
      task_queue: 'documents',
      input: { client_id: owner.clientId, model_id: id, training_id: trainingId },
    });
    const stored = `${trainingFolder({ modelId: id, trainingId })}/1/source`;
    expect(Buffer.from(await api.services.blobs.get(stored)).toString()).toBe('%PDF-1.4 a sample');
    expect(refusal(await train(id, documents))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(refusal(await call('post', `models/${id}/rollback`, {}))).toMatchObject({ status: 409 });
  });

  it('sent again with its Idempotency-Key is the same training', async () => {
    const id = await create();
    const send = () =>
      api
        .http()
        .post(`/api/v1/vision/models/${id}/train`)
        .set('Authorization', `Bearer ${key}`)
        .set('Idempotency-Key', `train-${id}`)
        .send({ documents: [sample(), sample()] });
    const first = await send();
    const second = await send();
    expect([first.status, second.status]).toEqual([202, 202]);
    expect((second.body as Record<string, unknown>)['training_id']).toBe(
      (first.body as Record<string, unknown>)['training_id'],
    );
    expect(await api.services.system.query(SAMPLES, [owner.clientId, id])).toEqual([{ count: 2 }]);
  });

  it.each([
    ['one sample', [sample()], 422, 'documents'],
    ['none', [], 422, 'documents'],
    ['too many', Array.from({ length: MAX_SAMPLES + 1 }, () => sample()), 422, 'documents'],
    ['a field that the model has not', [sample(), sample({ colour: 'red' })], 400, 'documents[1].annotations.colour'],
    ['nothing annotated', [sample({}), sample()], 400, 'documents[0].annotations'],
    ['an empty value', [sample({ policy_number: ' ' }), sample()], 400, 'documents[0].annotations.policy_number'],
    [
      'an object without value',
      [sample({ policy_number: { text: 'x' } }), sample()],
      400,
      'documents[0].annotations.policy_number',
    ],
    [
      'a box without sides',
      [sample({ policy_number: { value: 'P', bbox: { x: 1 } } }), sample()],
      400,
      'documents[0].annotations.policy_number',
    ],
    [
      'a text of 5,000 signs',
      [sample({ policy_number: 'x'.repeat(5_000) }), sample()],
      400,
      'documents[0].annotations.policy_number',
    ],
    ['a table that is no list', [sample({ covers: 'fire' }), sample()], 400, 'documents[0].annotations.covers'],
    [
      'a column that the table has not',
      [sample({ covers: [{ colour: 'red' }] }), sample()],
      400,
      'documents[0].annotations.covers',
    ],
    ['what is not base64', [sample(), { ...sample(), file_base64: '(/)' }], 400, 'documents[1].file_base64'],
    ['no file', [sample(), { annotations: {} }], 400, 'documents[1].file_base64'],
    ['no list', 'samples', 400, 'documents'],
  ])('refuses %s and keeps nothing', async (_, documents, status, field) => {
    const id = await create([...FIELDS]);
    expect(refusal(await train(id, documents))).toMatchObject({ status, field });
    expect(await api.services.system.query(SAMPLES, [owner.clientId, id])).toEqual([{ count: 0 }]);
    await call('delete', `models/${id}`);
  });

  it('of an unknown or a pre-trained model is 404', async () => {
    for (const id of ['mdl_unknown', 'invoice']) {
      expect(refusal(await train(id, [sample(), sample()]))).toMatchObject({ status: 404 });
    }
  });
});

describe('a model that was never trained', () => {
  it('extracts nothing (422), alone or in a pipeline; an unknown one is 404', async () => {
    const id = await create();
    const extract = (model: string) => call('post', 'extract', { file_base64: FILE, document_type: `custom:${model}` });
    expect(refusal(await extract(id))).toMatchObject({ status: 422, field: 'document_type' });
    expect(refusal(await extract('mdl_unknown'))).toMatchObject({ status: 404 });
    const steps = [{ action: 'extract', options: { document_type: `custom:${id}` } }];
    expect(refusal(await call('post', 'pipeline', { file_base64: FILE, steps }))).toMatchObject({ status: 422 });
  });

  it('has no version to return to (409)', async () => {
    expect(refusal(await call('post', `models/${await create()}/rollback`, {}))).toMatchObject({ status: 409 });
  });

  it('is deleted with its samples, once', async () => {
    const id = await create();
    const { body } = await train(id, [sample(), sample()]);
    const trainingId = String(body['training_id']);
    expect(await call('delete', `models/${id}`)).toMatchObject({ status: 200, body: { model_id: id, deleted: true } });
    expect(await api.services.system.query(SAMPLES, [owner.clientId, id])).toEqual([{ count: 0 }]);
    const stored = `${trainingFolder({ modelId: id, trainingId })}/0/source`;
    expect(await api.services.blobs.exists(stored)).toBe(false);
    expect(refusal(await call('delete', `models/${id}`))).toMatchObject({ status: 404 });
    const starts = await api.services.system.query(STARTS, [owner.clientId]);
    expect(starts).toContainEqual(
      expect.objectContaining({
        workflow_type: 'eraseModel',
        input: { client_id: owner.clientId, model_id: id, training_id: trainingId },
      }),
    );
  });
});
