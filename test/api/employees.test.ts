import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const PATH = '/api/v1/employees';

let api: ApiFixture;
let key: string;
let token: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
  token = await api.acme.token();
});
afterAll(() => api.close());

type Data = Record<string, unknown>;

const rest = (method: 'get' | 'post' | 'patch' | 'delete', path = PATH, bearer = token) =>
  api.http()[method](path).set('Authorization', `Bearer ${bearer}`);
const at = (id: number): string => `${PATH}/${String(id)}`;
const post = (input: Data = {}) => rest('post').send({ first_name: 'Thandi', last_name: 'Nkosi', ...input });
const patch = (id: number, input: Data): Promise<Response> => rest('patch', at(id)).send(input);

async function employ(input: Data = {}): Promise<number> {
  const { status, body } = await post(input);
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data.id;
}

const get = async (id: number): Promise<Data> => (await rest('get', at(id))).body.data;
const AUDIT = statement(`
  select action, actor_type, actor_id, details from audit_entries
  where client_id = $1 and subject_type = 'employee' and subject_id = $2 order by id`);
const trail = (id: number) => api.services.system.query(AUDIT, [api.acme.clientId, String(id)]);

describe('create-employee', () => {
  it('takes every field, and the list, the record and the action show the same', async () => {
    const full = {
      employee_number: 'P-7',
      first_name: 'Zanele',
      last_name: 'Dlamini',
      email: 'zanele@acme.example',
      department: 'Workshop',
      job_title: 'Fitter',
      manager_id: await employ(),
      user_id: api.acme.users.auditor.id,
      is_active: true,
      hired_on: '2026-01-05',
      terminated_on: '2199-12-31',
    };
    const created = await post(full);
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    const record = { ...full, id, employee_id: id, client_id: api.acme.clientId };
    expect(created.body.data).toEqual({ ...record, created_at: expect.any(String), updated_at: expect.any(String) });
    expect(await get(id)).toEqual(created.body.data);
    const listed = await rest('get', `${PATH}?department=workshop`);
    expect(listed.body.data).toEqual([created.body.data]);
    const { body } = await api.act(key, { action: 'get-employees', department: 'Workshop' });
    expect(body.data.employees).toEqual(listed.body.data);
    expect(listed.body.meta.pagination).toEqual({ total: 1, limit: 100, offset: 0 });
    expect(await trail(id)).toEqual([
      { action: 'employee.created', actor_type: 'user', actor_id: String(api.acme.users.owner.id), details: null },
    ]);
  });

  it('needs a name only, and numbers each after the highest, however many come at once', async () => {
    await employ({ employee_number: 'E-0041' });
    for (const other of ['E-9x', 'X-900', 'e-800', 'E-0007']) await employ({ employee_number: other });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post()));
    const numbers = answers.map(({ body }) => body.data.employee_number as string).sort();
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => `E-00${String(42 + index)}`));
    expect(answers[0]?.body.data).toMatchObject({ user_id: null, manager_id: null, is_active: true, hired_on: null });
    expect(
      (
        await api
          .http()
          .post(PATH)
          .set('Authorization', `Bearer ${await api.rival.token()}`)
          .send({ first_name: 'Ann', last_name: 'Other' })
      ).body.data.employee_number,
    ).toBe('E-0001');
    await employ({ employee_number: 'E-99999' });
    expect((await post()).body.data.employee_number).toBe('E-100000');
  });

  it('refuses a number or a user that another employee has, and lets other clients have both', async () => {
    const user_id = api.acme.users.admin.id;
    await employ({ employee_number: 'taken', user_id });
    const number = await post({ employee_number: ' taken ' });
    expectRefusal(number, 409, 'CONFLICT');
    expect(number.body.error.details).toEqual([{ field: 'employee_number', issue: expect.stringContaining('taken') }]);
    const user = await post({ user_id });
    expectRefusal(user, 409, 'CONFLICT');
    expect(user.body.error.details).toEqual([{ field: 'user_id', issue: expect.any(String) }]);
    const both = { first_name: 'Ann', last_name: 'Other', employee_number: 'taken', user_id: api.rival.users.admin.id };
    expect((await rest('post', PATH, await api.rival.token()).send(both)).status).toBe(201);
    const twice = await Promise.all([1, 2].map(() => post({ user_id: api.acme.users.owner.id })));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each<[string, () => Data, string]>([
    ['a manager that is not there', () => ({ manager_id: 2_000_000_000 }), 'manager_id'],
    ["another client's user", () => ({ user_id: api.rival.users.member.id }), 'user_id'],
    ['a last day before the first', () => ({ hired_on: '2026-05-02', terminated_on: '2026-05-01' }), 'terminated_on'],
    ['a blank name', () => ({ first_name: ' ' }), 'first_name'],
    ['an e-mail that is none', () => ({ email: 'thandi' }), 'email'],
    ['a day that there is not', () => ({ hired_on: '2026-02-30' }), 'hired_on'],
    ['a field that it does not know', () => ({ salary: 1 }), 'salary'],
  ])('refuses %s, and names the field', async (_what, input, field) => {
    const answer = await post(input());
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([{ field, issue: expect.any(String) }]);
  });

  it('refuses a name that is missing', async () => {
    expectRefusal(await rest('post').send({ first_name: 'Thandi' }), 400, 'BAD_REQUEST');
  });
});

describe('update-employee', () => {
  it('changes what is given, clears what is null, and notes who changed what', async () => {
    const manager_id = await employ();
    const id = await employ({ manager_id, department: 'Workshop', hired_on: '2026-01-05' });
    const answer = await patch(id, { manager_id: null, department: 'Yard', is_active: false });
    expect(answer.body.data).toMatchObject({
      manager_id: null,
      department: 'Yard',
      is_active: false,
      hired_on: '2026-01-05',
    });
    expect(await get(id)).toEqual(answer.body.data);
    const [, changed, ...more] = await trail(id);
    expect(more).toEqual([]);
    expect(changed).toMatchObject({
      action: 'employee.updated',
      actor_id: String(api.acme.users.owner.id),
      details: {
        changes: {
          manager_id: { from: manager_id, to: null },
          department: { from: 'Workshop', to: 'Yard' },
          is_active: { from: true, to: false },
        },
      },
    });
  });

  it('leaves no trace where nothing changes, and takes a record that is sent back whole', async () => {
    const id = await employ({ manager_id: await employ(), hired_on: '2026-01-05' });
    const before = await get(id);
    const { id: _, employee_id, client_id, created_at, updated_at, ...fields } = before;
    expect([employee_id, client_id, created_at]).toEqual([id, api.acme.clientId, updated_at]);
    expect((await patch(id, fields)).body.data).toEqual(before);
    expect(await trail(id)).toHaveLength(1);
  });

  it('holds a last day against the first one that is there', async () => {
    const id = await employ({ hired_on: '2026-05-02' });
    expectRefusal(await patch(id, { terminated_on: '2026-05-01' }), 400, 'VALIDATION_ERROR');
    expect((await patch(id, { terminated_on: '2026-05-02' })).status).toBe(200);
    expectRefusal(await patch(id, { hired_on: '2026-05-03' }), 400, 'VALIDATION_ERROR');
  });

  it('keeps who has left: no longer in the list, still a record, and never deleted', async () => {
    const id = await employ({ department: 'Leavers' });
    expect((await patch(id, { terminated_on: '2020-01-31' })).status).toBe(200);
    const list = async (more = '') => (await rest('get', `${PATH}?department=Leavers${more}`)).body.data;
    expect(await list()).toEqual([]);
    expect(await list('&include_terminated=true')).toEqual([await get(id)]);
    expectRefusal(await rest('delete', at(id)), 405, 'METHOD_NOT_ALLOWED');
  });

  it('refuses a number or a user that another employee has', async () => {
    const user_id = api.acme.users.member.id;
    const [first, second] = [await employ({ employee_number: 'first', user_id }), await employ()];
    expectRefusal(await patch(second, { employee_number: 'first' }), 409, 'CONFLICT');
    expectRefusal(await patch(second, { user_id }), 409, 'CONFLICT');
    expect((await patch(first, { user_id: null })).status).toBe(200);
    expect((await patch(second, { user_id })).status).toBe(200);
  });

  it('refuses a manager by whom somebody would come to report to themselves', async () => {
    const head = await employ();
    const middle = await employ({ manager_id: head });
    const last = await employ({ manager_id: middle });
    for (const manager_id of [head, middle, last]) {
      const answer = await patch(head, { manager_id });
      expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
      expect(answer.body.error.details).toEqual([{ field: 'manager_id', issue: expect.any(String) }]);
    }
    expect(await get(head)).toMatchObject({ manager_id: null });
    expect((await patch(last, { manager_id: head })).status).toBe(200);
    expectRefusal(await patch(last, { manager_id: 2_000_000_000 }), 400, 'VALIDATION_ERROR');
  });

  it('makes no circle either where changes come at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ring = [await employ(), await employ(), await employ()];
      const answers = await Promise.all(ring.map((id, n) => patch(id, { manager_id: ring[(n + 1) % ring.length] })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
    }
  });
});

describe('who may', () => {
  it.each(['member', 'auditor'] as const)('%s reads all employees and changes none', async (role) => {
    const id = await employ();
    const bearer = await api.acme.token(role);
    expect((await rest('get', PATH, bearer)).status).toBe(200);
    expect((await rest('get', at(id), bearer)).body.data).toEqual(await get(id));
    expectRefusal(await rest('post', PATH, bearer).send({ first_name: 'A', last_name: 'B' }), 403, 'FORBIDDEN');
    expectRefusal(await rest('patch', at(id), bearer).send({ first_name: 'A' }), 403, 'FORBIDDEN');
  });

  it('an admin changes employees', async () => {
    const id = await employ();
    const answer = await rest('patch', at(id), await api.acme.token('admin')).send({ first_name: 'Sipho' });
    expect(answer.body.data).toMatchObject({ first_name: 'Sipho' });
  });

  it("another client's employee is not there: not to read, change or report to", async () => {
    const id = await employ();
    const theirs = await api.rival.token();
    expectRefusal(await rest('get', at(id), theirs), 404, 'NOT_FOUND');
    expectRefusal(await rest('patch', at(id), theirs).send({ first_name: 'A' }), 404, 'NOT_FOUND');
    const report = { first_name: 'A', last_name: 'B', manager_id: id };
    expectRefusal(await rest('post', PATH, theirs).send(report), 400, 'VALIDATION_ERROR');
  });

  it('needs a token', async () => {
    expectRefusal(await api.http().get(PATH).set('X-API-Key', key), 401, 'UNAUTHORIZED');
  });
});
