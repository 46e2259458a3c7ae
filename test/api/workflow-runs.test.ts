import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { caller, createdTemplate } from './workflow-templates-support.ts';
import type { Call } from './workflow-templates-support.ts';

let api: ApiFixture;
let call: Call;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  call = caller(api);
});
afterAll(() => api.close());

const created = (fields: object = {}): Promise<{ id: number }> => createdTemplate(call, fields);

describe('POST /workflows/{id}/runs', () => {
  it('asks for a run, whose workflow the outbox starts', async () => {
    const { id } = await created();
    const answer = await call('post', `/workflows/${String(id)}/runs`, { data: { note: 'by hand' } });
    expect(answer.status).toBe(202);
    const run = answer.body.data;
    expect(run).toMatchObject({ workflow_id: id, status: 'queued', trigger: 'manual', work_item_id: null });
    const [start] = await api.services.system.query(
      statement('select workflow_type, task_queue, input from workflow_starts where workflow_id = $1'),
      [`workflow-template/${String(id)}/${String(run.run_id)}`],
    );
    expect(start).toMatchObject({
      workflow_type: 'runTemplate',
      task_queue: 'platform',
      input: { run_id: run.run_id },
    });
    expect((await call('get', `/workflows/${String(id)}/runs`)).body.data).toEqual([run]);
    expect((await call('get', `/workflows/${String(id)}/runs/${String(run.run_id)}`)).body.data).toEqual({
      ...run,
      steps: [],
    });
  });

  it('refuses a template that is not active, an unknown item and a member', async () => {
    const { id: draft } = await created({ status: 'draft' });
    const { id } = await created();
    expectRefusal(await call('post', `/workflows/${String(draft)}/runs`, {}), 422, 'UNPROCESSABLE_ENTITY');
    const unknown = await call('post', `/workflows/${String(id)}/runs`, { work_item_id: randomUUID() });
    expectRefusal(unknown, 400, 'VALIDATION_ERROR');
    expect(unknown.body.error.details[0].field).toBe('work_item_id');
    expectRefusal(await call('post', `/workflows/${String(id)}/runs`, {}, { role: 'member' }), 403, 'FORBIDDEN');
    expectRefusal(await call('get', `/workflows/${String(id)}/runs/${randomUUID()}`), 404, 'NOT_FOUND');
  });
});

describe('POST /workflows/{id}/runs/{run_id}/cancel', () => {
  const queued = async (): Promise<{ id: number; path: string; run_id: string }> => {
    const { id } = await created();
    const { run_id } = (await call('post', `/workflows/${String(id)}/runs`, {})).body.data;
    return { id, run_id, path: `/workflows/${String(id)}/runs/${String(run_id)}` };
  };

  it('marks the run and asks for its workflow’s cancellation, once', async () => {
    const { id, run_id, path } = await queued();
    const first = await call('post', `${path}/cancel`);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ run_id, cancel_requested_at: expect.any(String) });
    expect((await call('post', `${path}/cancel`)).body.data).toEqual(first.body.data);
    const starts = statement('select workflow_type, input from workflow_starts where workflow_id = $1');
    expect(await api.services.system.query(starts, [`cancel-template-run/${run_id}`])).toEqual([
      { workflow_type: 'cancelTemplateRun', input: { client_id: api.acme.clientId, run_id, template_id: id } },
    ]);
    const trail = statement(
      `select details from audit_entries where action = 'workflow_template.run_cancelled' and subject_id = $1`,
    );
    expect(await api.services.system.query(trail, [String(id)])).toEqual([{ details: { run_id } }]);
  });

  it('finds and cancels the runs of a deleted template', async () => {
    const { id, run_id, path } = await queued();
    await call('delete', `/workflows/${String(id)}`);
    const listed = await call('get', `/workflows/${String(id)}/runs?status=queued`);
    expect(listed.body.data.map((run: { run_id: string }) => run.run_id)).toEqual([run_id]);
    expect((await call('post', `${path}/cancel`)).status).toBe(200);
  });

  it('refuses a run that has ended, members, other clients and other templates', async () => {
    const { run_id, path } = await queued();
    const { id: other } = await created();
    expectRefusal(await call('post', `${path}/cancel`, undefined, { role: 'member' }), 403, 'FORBIDDEN');
    expectRefusal(await call('post', `${path}/cancel`, undefined, { tenant: api.rival }), 404, 'NOT_FOUND');
    expectRefusal(await call('post', `/workflows/${String(other)}/runs/${run_id}/cancel`), 404, 'NOT_FOUND');
    const end = statement(`update workflow_runs set status = 'completed', finished_at = now() where run_id = $1`);
    await api.services.system.query(end, [run_id]);
    expectRefusal(await call('post', `${path}/cancel`), 409, 'CONFLICT');
  });
});
