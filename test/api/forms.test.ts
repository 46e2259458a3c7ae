import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const FORMS = '/api/v1/forms';
const SUBMISSIONS = `${FORMS}/submissions`;

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  token = await api.acme.token();
});
afterAll(() => api.close());

const rest = (method: 'get' | 'post' | 'patch', path: string, bearer = token) =>
  api.http()[method](path).set('Authorization', `Bearer ${bearer}`);
const field = (field_key: string, field_type: string, more: Record<string, unknown> = {}) => ({
  field_key,
  field_label: field_key,
  field_type,
  ...more,
});
let made = 0;
const createForm = async (input: Record<string, unknown> = {}): Promise<string> => {
  made += 1;
  const form_key = `form-${String(made)}`;
  const fields = [field('inspector', 'text', { is_required: true }), field('score', 'number')];
  const answer = await rest('post', FORMS).send({ form_key, form_name: 'Inspection', fields, ...input });
  expect(answer.status).toBe(201);
  return form_key;
};
const submit = (form_key: string, data: Record<string, unknown>, bearer = token) =>
  rest('post', SUBMISSIONS, bearer).send({ form_key, data });
const countOf = async (form_key: string): Promise<number> =>
  (await rest('get', FORMS)).body.data.find((form: { form_key: string }) => form.form_key === form_key)
    .submission_count;

describe('POST /forms', () => {
  it('creates a form, and GET /forms lists it first', async () => {
    const fields = [field('colour', 'select', { is_required: true, options: ['red', 'blue'] }), field('photo', 'file')];
    const form = { form_key: 'site_inspection', form_name: 'Site inspection', description: 'Daily', fields };
    const created = await rest('post', FORMS).send(form);
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      ...form,
      id: expect.any(Number),
      client_id: api.acme.clientId,
      is_active: true,
      submission_count: 0,
      fields: [fields[0], { ...fields[1], is_required: false, options: [] }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await rest('get', FORMS)).body.data[0]).toEqual(created.body.data);
  });

  it('GET /forms/{form_key} answers the same, and 404 for a key that the client has not', async () => {
    const form_key = await createForm({ is_active: false });
    const listed = (await rest('get', FORMS)).body.data[0];
    const one = await rest('get', `${FORMS}/${form_key}`);
    expect({ status: one.status, data: one.body.data }).toEqual({ status: 200, data: listed });
    expectRefusal(await rest('get', `${FORMS}/nothing`), 404, 'NOT_FOUND');
    expectRefusal(await rest('get', `${FORMS}/${form_key}`, await api.rival.token()), 404, 'NOT_FOUND');
  });

  it('lists them in windows too', async () => {
    const [first, second] = [await createForm(), await createForm()];
    const page = await rest('get', `${FORMS}?limit=1&offset=1`);
    expect(page.body.data.map((form: { form_key: string }) => form.form_key)).toEqual([first]);
    const all = await rest('get', FORMS);
    expect(all.body.data[0].form_key).toBe(second);
    expect(page.body.meta.pagination).toEqual({ total: all.body.data.length, limit: 1, offset: 1 });
    expect(all.body.meta.pagination).toEqual({ total: all.body.data.length, limit: 500, offset: 0 });
  });

  it('a key in use is 409, also for two at once; in another client it is free', async () => {
    const form = { form_key: 'twice', form_name: 'Twice', fields: [field('a', 'text')] };
    const both = await Promise.all([rest('post', FORMS).send(form), rest('post', FORMS).send(form)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expectRefusal(await rest('post', FORMS).send(form), 409, 'CONFLICT');
    expect((await rest('post', FORMS, await api.rival.token()).send(form)).status).toBe(201);
  });

  it.each([
    [{ fields: [] }, 'fields'],
    [{ fields: [field('a', 'colour')] }, 'fields[0].field_type'],
    [{ fields: [field('a', 'select')] }, 'fields[0].options'],
    [{ fields: [field('a', 'select', { options: ['x', 'x'] })] }, 'fields[0].options'],
    [{ fields: [field('a', 'text', { options: ['x'] })] }, 'fields[0].options'],
    [{ fields: [field('a', 'text'), field('a', 'date')] }, 'fields[1].field_key'],
    [{ form_key: 'Has Blanks' }, 'form_key'],
  ])('refuses %j', async (input, named) => {
    const form = { form_key: 'wrong', form_name: 'Wrong', fields: [field('a', 'text')], ...input };
    const answer = await rest('post', FORMS).send(form);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toMatchObject([{ field: named }]);
  });
});

describe('PATCH /forms/{form_key}', () => {
  const change = (form_key: string, input: Record<string, unknown>, bearer = token) =>
    rest('patch', `${FORMS}/${form_key}`, bearer).send(input);

  it('closes a form and opens it again; what was submitted stays', async () => {
    const form_key = await createForm();
    await submit(form_key, { inspector: 'A' });
    const closed = await change(form_key, { is_active: false });
    expect(closed.body.data).toMatchObject({ form_key, is_active: false, submission_count: 1 });
    expectRefusal(await submit(form_key, { inspector: 'B' }), 422, 'UNPROCESSABLE_ENTITY');
    expect((await rest('get', `${FORMS}/${form_key}/submissions`)).body.meta.pagination.total).toBe(1);
    await change(form_key, { is_active: true });
    expect((await submit(form_key, { inspector: 'B' })).status).toBe(201);
    expect(await countOf(form_key)).toBe(2);
  });

  it('changes what is given, by which later submissions are judged, and notes what changed', async () => {
    const form_key = await createForm({ description: 'Daily' });
    const fields = [field('gate', 'checkbox', { is_required: true, options: [] })];
    const changed = (await change(form_key, { form_name: 'Gates', description: null, fields })).body.data;
    expect(changed).toMatchObject({ form_key, form_name: 'Gates', description: null, is_active: true, fields });
    expect((await rest('get', FORMS)).body.data[0]).toEqual(changed);
    expectRefusal(await submit(form_key, { inspector: 'A' }), 400, 'BAD_REQUEST');
    expect((await submit(form_key, { gate: false })).status).toBe(201);
    const notes = (): Promise<{ details: unknown }[]> =>
      api.services.system.query(
        statement(
          `select details from audit_entries where subject_type = 'form' and subject_id = $1 and action = 'form.updated'`,
        ),
        [String(changed.id)],
      );
    const [note] = await notes();
    expect(note?.details).toMatchObject({
      changes: { form_name: { from: 'Inspection', to: 'Gates' }, description: { from: 'Daily', to: null } },
    });
    expect((await change(form_key, { form_name: 'Gates', fields })).body.data).toMatchObject({
      updated_at: changed.updated_at,
    });
    expect(await notes()).toHaveLength(1);
  });

  it('refuses fields that do not fit, an unknown form, another client and an auditor', async () => {
    const form_key = await createForm();
    const wrong = await change(form_key, { fields: [field('a', 'select')] });
    expectRefusal(wrong, 400, 'VALIDATION_ERROR');
    expect(wrong.body.error.details).toMatchObject([{ field: 'fields[0].options' }]);
    expectRefusal(await change('never-made', { is_active: false }), 404, 'NOT_FOUND');
    expectRefusal(await change(form_key, { is_active: false }, await api.rival.token()), 404, 'NOT_FOUND');
    const auditor = await api.acme.token('auditor');
    expectRefusal(await change(form_key, { is_active: false }, auditor), 403, 'SCOPE_REQUIRED');
  });
});

describe('POST /forms/submissions', () => {
  it('answers 201 with an empty body; Location leads to what was submitted', async () => {
    const form_key = await createForm();
    const answer = await submit(form_key, { inspector: 'Thandi', score: 7 });
    expect({ status: answer.status, text: answer.text, length: answer.headers['content-length'] }).toEqual({
      status: 201,
      text: '',
      length: '0',
    });
    const { data } = (await rest('get', answer.headers['location']!)).body;
    expect(data).toMatchObject({
      form_key,
      client_id: api.acme.clientId,
      data: { inspector: 'Thandi', score: 7 },
      submitted_by: { type: 'user', id: String(api.acme.users.owner.id) },
    });
    expect((await rest('get', `${FORMS}/${form_key}/submissions`)).body.data).toEqual([data]);
  });

  it('counts fifty at once as fifty', async () => {
    const form_key = await createForm();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => submit(form_key, { inspector: `no ${String(index)}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(50);
    expect(await countOf(form_key)).toBe(50);
  });

  it('a refused one is neither kept nor counted', async () => {
    const form_key = await createForm();
    const missing = await submit(form_key, { score: 7 });
    expectRefusal(missing, 400, 'BAD_REQUEST');
    expect(missing.body.error.details).toEqual([{ field: 'data.inspector', issue: 'is required' }]);
    expectRefusal(await submit(form_key, { inspector: 'A', other: 1 }), 400, 'VALIDATION_ERROR');
    expect(await countOf(form_key)).toBe(0);
  });

  it('is taken once for one Idempotency-Key, with the same Location', async () => {
    const form_key = await createForm();
    const send = () => submit(form_key, { inspector: 'Once' }).set('Idempotency-Key', 'submission-once');
    const [first, second] = [await send(), await send()];
    expect(second.headers).toMatchObject({ location: first.headers['location'], 'idempotency-replayed': 'true' });
    expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: '' });
    expect(await countOf(form_key)).toBe(1);
  });

  it('gives back the bytes of a file, and tells of them in a list', async () => {
    const form_key = await createForm({ fields: [field('photo', 'file')] });
    const content_base64 = Buffer.alloc(1_048_576, 'photo').toString('base64');
    const answer = await submit(form_key, { photo: { file_name: 'gate.jpg', content_base64 } });
    expect(answer.status).toBe(201);
    const told = { file_name: 'gate.jpg', size: 1_048_576, sha256: expect.any(String) };
    expect((await rest('get', `${FORMS}/${form_key}/submissions`)).body.data[0].data).toEqual({ photo: told });
    expect((await rest('get', answer.headers['location']!)).body.data.data).toEqual({
      photo: { ...told, content_base64 },
    });
  });

  it('reports form.submitted with the form as counted, and who submitted', async () => {
    const form_key = await createForm();
    const answer = await submit(form_key, { inspector: 'Reported' });
    const submission = (await rest('get', answer.headers['location']!)).body.data;
    const events = await api.services.system.query(
      statement(`select name, data from events where client_id = $1 and data->'form'->>'form_key' = $2`),
      [api.acme.clientId, form_key],
    );
    expect(events).toMatchObject([
      { name: 'form.submitted', data: { form: { form_key, submission_count: 1 }, submission } },
    ]);
    const entries = await api.services.system.query(
      statement(`select action from audit_entries where subject_type = 'form_submission' and subject_id = $1`),
      [String(submission.id)],
    );
    expect(entries).toEqual([{ action: 'form.submitted' }]);
  });

  it('a form that needs nothing takes its key alone', async () => {
    const form_key = await createForm({ fields: [field('remark', 'text')] });
    expect((await rest('post', SUBMISSIONS).send({ form_key })).status).toBe(201);
  });

  it('an inactive form takes none, an unknown one is 404, no form_key is 400', async () => {
    const form_key = await createForm({ is_active: false });
    expectRefusal(await submit(form_key, { inspector: 'A' }), 422, 'UNPROCESSABLE_ENTITY');
    expectRefusal(await submit('never-made', {}), 404, 'NOT_FOUND');
    expectRefusal(await rest('post', SUBMISSIONS).send({}), 400, 'BAD_REQUEST');
    expectRefusal(await rest('post', SUBMISSIONS).send({ form_key, data: 'x' }), 400, 'BAD_REQUEST');
  });
});

describe('GET /forms/{form_key}/submissions', () => {
  it('pages, newest first', async () => {
    const form_key = await createForm();
    for (const inspector of ['A', 'B', 'C']) await submit(form_key, { inspector });
    const page = await rest('get', `${FORMS}/${form_key}/submissions?limit=2&offset=1`);
    expect(page.body.data.map(({ data }: { data: { inspector: string } }) => data.inspector)).toEqual(['B', 'A']);
    expect(page.body.meta.pagination).toEqual({ total: 3, limit: 2, offset: 1 });
  });

  it('an unknown form or submission is 404, also the submission of another form', async () => {
    const [one, two] = [await createForm(), await createForm()];
    const location = (await submit(one, { inspector: 'A' })).headers['location']!;
    expectRefusal(await rest('get', location.replace(one, two)), 404, 'NOT_FOUND');
    expectRefusal(await rest('get', `${FORMS}/never-made/submissions`), 404, 'NOT_FOUND');
    expect((await rest('get', `${FORMS}/${one}/submissions/first`)).status).toBe(400);
  });
});

describe('who may', () => {
  it("another client's form and submissions are not there", async () => {
    const form_key = await createForm();
    const location = (await submit(form_key, { inspector: 'A' })).headers['location']!;
    const theirs = await api.rival.token();
    expectRefusal(await submit(form_key, { inspector: 'A' }, theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('get', location, theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('get', `${FORMS}/${form_key}/submissions`, theirs), 404, 'NOT_FOUND');
    const keys = (await rest('get', FORMS, theirs)).body.data.map((form: { form_key: string }) => form.form_key);
    expect(keys).not.toContain(form_key);
    expect(await countOf(form_key)).toBe(1);
  });

  it('a member submits, an auditor only reads, nobody without a token', async () => {
    const form_key = await createForm();
    const auditor = await api.acme.token('auditor');
    expect((await submit(form_key, { inspector: 'A' }, await api.acme.token('member'))).status).toBe(201);
    expectRefusal(await submit(form_key, { inspector: 'A' }, auditor), 403, 'SCOPE_REQUIRED');
    expectRefusal(await rest('post', FORMS, auditor).send({}), 403, 'SCOPE_REQUIRED');
    expect((await rest('get', FORMS, auditor)).status).toBe(200);
    expectRefusal(await api.http().get(FORMS), 401, 'UNAUTHORIZED');
    expectRefusal(await api.http().post(SUBMISSIONS).send({ form_key }), 401, 'UNAUTHORIZED');
  });
});
