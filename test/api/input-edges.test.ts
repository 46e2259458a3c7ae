import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

const act = (action: string, params: object) => api.act(key, { action, ...params });
const issues = ({ status, body }: Response) => ({ status, code: body.error?.code, details: body.error?.details });
const invalid = (field: string, issue: string) => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  details: [{ field, issue }],
});
const JOB = { item_type: 'job', title: 'Pump' };

describe('a text', () => {
  it.each([
    ['create-work-item', { item_type: 'job', title: ' \t\u00a0' }, 'title'],
    ['create-work-item', { ...JOB, tags: ['  '] }, 'tags[0]'],
    ['create-work-item', { item_type: 'job', title: ' \u200b ' }, 'title'],
    ['create-contact', { name: '\u2060\ufe0f\u3164' }, 'name'],
    ['create-contact', { name: '   ' }, 'name'],
    ['create-appointment', { title: '\n', scheduled_start: '2027-01-04' }, 'title'],
    ['create-recurring-job', { title: ' ', schedule: { frequency: 'daily' } }, 'title'],
    ['send-thread-message', { participant_user_ids: [1], body: ' ' }, 'body'],
  ])('of white space and what can’t be seen alone is refused by %s: %j', async (action, params, field) => {
    expect(issues(await act(action, params))).toEqual(invalid(field, 'must not be blank'));
  });

  it('may hold what can’t be seen between what can', async () => {
    const title = '👨\u200d👩\u200d👧 \u202bمی\u200cخواهم';
    const { status, body } = await act('create-work-item', { ...JOB, title });
    expect({ status, title: body.data?.title }).toEqual({ status: 200, title });
  });

  it('of nothing is empty, not blank', async () => {
    expect(issues(await act('create-work-item', { ...JOB, title: '' }))).toEqual(invalid('title', 'must not be empty'));
  });
});

describe('a date', () => {
  const RANGE = 'must be between 1900-01-01 and 2200-12-31';
  const line = { description: 'Pump', unit_price: 1 };

  it.each([
    ['create-work-item', { ...JOB, due_date: '0001-01-01' }, 'due_date'],
    ['create-work-item', { ...JOB, due_date: '1900-01-01T00:00:00+02:00' }, 'due_date'],
    ['create-work-item', { ...JOB, scheduled_start: '9999-12-31T23:00:00-02:00' }, 'scheduled_start'],
    ['create-appointment', { title: 'Visit', scheduled_start: '0020-01-04T09:00:00Z' }, 'scheduled_start'],
    [
      'create-finance-document',
      { document_type: 'invoice', document_date: '1899-12-31', lines: [line] },
      'document_date',
    ],
    ['create-finance-document', { document_type: 'invoice', due_date: '2201-01-01', lines: [line] }, 'due_date'],
    ['list-payments', { date_from: '0001-01-01' }, 'date_from'],
    ['get-timesheets', { date_from: '9999-01-01' }, 'date_from'],
    ['create-recurring-job', { title: 'x', schedule: { frequency: 'daily' }, start_date: '0001-01-01' }, 'start_date'],
  ])('far from ours is refused by %s: %j', async (action, params, field) => {
    expect(issues(await act(action, params))).toEqual(invalid(field, RANGE));
  });

  it('may be the first and the last of the range', async () => {
    const dates = { start_date: '1900-01-01', due_date: '2200-12-31T23:59:59.999Z' };
    expect((await act('create-work-item', { ...JOB, ...dates })).body.data).toMatchObject({
      start_date: '1900-01-01T00:00:00.000Z',
      due_date: '2200-12-31T23:59:59.999Z',
    });
  });
});

describe('a moment', () => {
  it.each([
    ['2027-03-01', '2027-03-01T00:00:00.000Z'],
    ['2027-03-01T08:00', '2027-03-01T08:00:00.000Z'],
    ['2027-03-01T08:00Z', '2027-03-01T08:00:00.000Z'],
    ['2027-03-01T08:00+02:00', '2027-03-01T06:00:00.000Z'],
    ['2027-03-01T08:00:30.5-05:00', '2027-03-01T13:00:30.500Z'],
  ])('may be written %s: it is %s', async (scheduled_start, moment) => {
    expect((await act('create-work-item', { ...JOB, scheduled_start })).body.data.scheduled_start).toBe(moment);
  });

  it.each(['', '2027-02-29', '2027-03-01 08:00', '1 March', '2027-03-01T25:00'])('is not %j', async (start_date) => {
    expect(issues(await act('create-work-item', { ...JOB, start_date }))).toEqual(
      invalid('start_date', 'must be an ISO 8601 date or date and time'),
    );
  });
});

describe('an e-mail address', () => {
  it.each([
    ['create-contact', { name: 'Kruger Farms' }, 'email'],
    ['create-work-item', JOB, 'contact_email'],
  ])('that no mail server takes is refused by %s', async (action, params, field) => {
    const address = (length: number) => ({ ...params, [field]: `${'a'.repeat(length)}@kruger.example` });
    expect(issues(await act(action, address(65)))).toEqual(
      invalid(field, 'must have at most 64 characters before the @'),
    );
    expect((await act(action, address(64))).status).toBe(200);
  });
});

describe('a filter with a closed set of values', () => {
  it('refuses a status that no work item can have, by action and by REST', async () => {
    const refused = await act('list-work-items', { status: 'opne' });
    expect(issues(refused).details[0].issue).toMatch(/^must be one of open, scheduled, /);
    const rest = await api
      .http()
      .get('/api/v1/work-items?status=opne')
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expect(issues(rest)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', details: [{ field: 'status' }] });
    expect((await act('list-work-items', { status: 'pending' })).status).toBe(200);
  });
});

describe('a key named __proto__', () => {
  // Written as text: a literal would set the prototype.
  const send = (text: string) =>
    api.http().post('/api/v1/public/data').set({ 'X-API-Key': key, 'Content-Type': 'application/json' }).send(text);
  const start = '{"action":"create-work-item","item_type":"job","title":"x","custom_fields":';

  it.each([
    ['{"__proto__":{"a":1}}', 'custom_fields.__proto__'],
    ['{"deep":[{"__proto__":1}]}', 'custom_fields.deep[0].__proto__'],
  ])('in custom_fields %s is refused, not lost', async (value, field) => {
    expect(issues(await send(`${start}${value}}`))).toEqual(invalid(field, 'is a name that no field can have'));
  });

  it('leaves others of that kind alone', async () => {
    const custom_fields = { constructor: 'Acme Builders', prototype: 2 };
    const answer = await act('create-work-item', { ...JOB, custom_fields });
    expect(answer.body.data.custom_fields).toEqual(custom_fields);
  });
});

describe('a batch', () => {
  const batch = (text: string) =>
    api
      .http()
      .post('/api/v1/public/data/batch')
      .set({ 'X-API-Key': key, 'Content-Type': 'application/json' })
      .send(text);
  const job = (extra: string) =>
    `{"action":"create-work-item","params":{"item_type":"job","title":"in a batch"${extra}}}`;

  it('does the others where one operation has what can not be stored', async () => {
    const bad = ['\\u0000', '\\ud800'].map((text) => job(`,"notes":"${text}"`));
    const lost = job(',"custom_fields":{"__proto__":1}');
    const unknown = job(',"__proto__":1');
    const { status, body } = await batch(`{"operations":[${[job(''), ...bad, lost, unknown, job('')].join(',')}]}`);
    expect({ status, succeeded: body.data.succeeded, failed: body.data.failed }).toEqual({
      status: 200,
      succeeded: 2,
      failed: 4,
    });
    const errors = Object.fromEntries(
      body.data.results.map(({ id, error }: { id: string; error?: string }) => [id, error]),
    );
    expect(errors).toEqual({
      'op-1': undefined,
      'op-2': 'VALIDATION_ERROR: notes: must not hold a NUL character or half a surrogate pair',
      'op-3': 'VALIDATION_ERROR: notes: must not hold a NUL character or half a surrogate pair',
      'op-4': 'VALIDATION_ERROR: custom_fields.__proto__: is a name that no field can have',
      'op-5': 'VALIDATION_ERROR: __proto__: is not a known field',
      'op-6': undefined,
    });
  });

  it('is refused for such a text in its own fields', async () => {
    const answer = await batch('{"operations":[{"id":"a\\u0000","action":"list-work-items"}]}');
    expect(issues(answer)).toEqual(
      invalid('operations[0].id', 'must not hold a NUL character or half a surrogate pair'),
    );
  });
});

describe('what a refusal says', () => {
  it('names the bound that an amount of 0 breaks', async () => {
    const payment = { document_type: 'invoice', document_id: 1, amount: 0 };
    expect(issues(await act('record-finance-payment', payment))).toEqual(invalid('amount', 'must be greater than 0'));
  });

  it('counts in the singular', async () => {
    const document = { document_type: 'invoice', contact_name: 'x', lines: [] };
    expect(issues(await act('create-finance-document', document))).toEqual(
      invalid('lines', 'must have at least 1 entry'),
    );
  });

  it('has the verb of a relationship that would lead back', async () => {
    const make = async () =>
      (await act('create-work-item', JOB)).body.data as { work_item_id: string; item_number: string };
    const [first, second] = [await make(), await make()];
    const link = (from: typeof first, to: typeof first) =>
      act('add-work-item-relationship', {
        work_item_id: from.work_item_id,
        relationship_type: 'blocks',
        related_work_item_id: to.work_item_id,
      });
    await link(first, second);
    const { error } = (await link(second, first)).body;
    expect(error).toMatchObject({
      code: 'UNPROCESSABLE_ENTITY',
      message: `${second.item_number} can't block ${first.item_number}: the chain would lead back to it.`,
    });
  });
});
