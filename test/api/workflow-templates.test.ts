import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startScheduledRuns } from '../../domain/workflow-templates/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { caller, createdTemplate, STEPS, URGENT_JOBS } from './workflow-templates-support.ts';
import type { Call } from './workflow-templates-support.ts';

let api: ApiFixture;
let call: Call;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  call = caller(api);
});
afterAll(() => api.close());

const created = (fields: object = {}): Promise<{ id: number }> => createdTemplate(call, fields);

describe('POST /workflows', () => {
  it('creates a template, a draft that is started by hand unless said otherwise', async () => {
    const answer = await call('post', '/workflows', { name: 'Plain', module: 'projects', config: { steps: [] } });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      type: 'automation',
      trigger_type: 'manual',
      status: 'draft',
      description: null,
      solution_key: null,
      client_id: api.acme.clientId,
    });
  });

  it.each(['member', 'auditor'] as const)('is not for a %s', async (role) => {
    expectRefusal(await call('post', '/workflows', URGENT_JOBS, { role }), 403, 'FORBIDDEN');
  });

  const step = (given: object): object => ({ config: { ...URGENT_JOBS.config, steps: [given] } });
  it.each([
    ['an unknown event', { config: { event: 'job.exploded', steps: STEPS } }, 'config.event'],
    ['no event', { config: { steps: STEPS } }, 'config.event'],
    ['no cron', { trigger_type: 'schedule', config: { steps: STEPS } }, 'config.cron'],
    ['a cron that is none, on a draft', { status: 'draft', config: { cron: 'x', steps: [] } }, 'config.cron'],
    [
      'a zone that is none, whatever starts it',
      { trigger_type: 'manual', config: { timezone: 'Mars/Base', steps: STEPS } },
      'config.timezone',
    ],
    ['a wait of no time', step({ type: 'wait', seconds: 0 }), 'config.steps[0].seconds'],
    ['a wait beyond a year', step({ type: 'wait', seconds: 31_536_001 }), 'config.steps[0].seconds'],
    ['no inbound webhook', { trigger_type: 'webhook', config: { steps: STEPS } }, 'config.inbound_webhook_id'],
    ['no steps though active', { config: { event: 'job.created', steps: [] } }, 'config.steps'],
    [
      'a bad condition',
      { config: { event: 'job.created', condition: { a: { $near: 1 } }, steps: STEPS } },
      'config.condition',
    ],
    ['a broken placeholder', step({ type: 'comment', body: '{{ 1 + 1 }}' }), 'config.steps[0]'],
    [
      'an item without a title',
      step({ type: 'create_item', item: { item_type: 'job' } }),
      'config.steps[0].item.title',
    ],
    [
      'an unknown item field',
      step({ type: 'create_item', item: { item_type: 'job', title: 'x', colour: 'red' } }),
      'config.steps[0].item.colour',
    ],
    [
      'an impossible item field',
      step({ type: 'create_item', item: { item_type: 'boat', title: 'x' } }),
      'config.steps[0].item.item_type',
    ],
    ['nobody to assign', step({ type: 'assign' }), 'config.steps[0]'],
    ['an unknown user', step({ type: 'assign', assigned_to: 999_999 }), 'config.steps[0].assigned_to'],
    ['a text that is no user', step({ type: 'assign', assigned_to: 'Thandi' }), 'config.steps[0].assigned_to'],
    ['a text that is no team', step({ type: 'assign', assigned_team: 'north' }), 'config.steps[0].assigned_team'],
    ['an unknown team', step({ type: 'assign', assigned_team: randomUUID() }), 'config.steps[0].assigned_team'],
    [
      'a text that is no user to notify',
      step({ type: 'notify', user_ids: ['{{ work_item.assigned_to }}', 'Thandi'], subject: 's', body: 'b' }),
      'config.steps[0].user_ids[1]',
    ],
    [
      'a text that is no work item',
      step({ type: 'comment', work_item: 'the pump', body: 'b' }),
      'config.steps[0].work_item',
    ],
    [
      'an unknown contact of an item',
      step({ type: 'create_item', item: { item_type: 'job', title: '{{ work_item.title }}', contact_id: 999_999 } }),
      'config.steps[0].item.contact_id',
    ],
    ['a bad branch', step({ type: 'branch', if: { 'a b': 1 }, then: STEPS }), 'config.steps[0].if'],
    [
      'a fault within a branch',
      step({ type: 'branch', if: {}, then: [{ type: 'notify', user_ids: [999_999], subject: 's', body: 'b' }] }),
      'config.steps[0].then[0].user_ids[0]',
    ],
    [
      'two steps of one name',
      {
        config: {
          event: 'job.created',
          steps: [
            { ...STEPS[0], name: 'a' },
            { ...STEPS[0], name: 'a' },
          ],
        },
      },
      'config.steps',
    ],
    [
      'more steps than allowed in branches',
      step({ type: 'branch', if: {}, then: Array.from({ length: 50 }, () => STEPS[0]) }),
      'config.steps',
    ],
  ])('refuses %s, naming the field', async (_, fields, field) => {
    const answer = await call('post', '/workflows', { ...URGENT_JOBS, ...fields });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
  });

  it('refuses what belongs to another client as what is not there', async () => {
    const { id: user } = api.rival.users.owner;
    const contact = await api.rival.contact();
    const steps = [
      { type: 'assign', assigned_users: [user] },
      {
        type: 'create_item',
        item: { item_type: 'job', title: 'x', assigned_to: user, assigned_contractors: [contact] },
      },
    ];
    const answer = await call('post', '/workflows', { ...URGENT_JOBS, config: { ...URGENT_JOBS.config, steps } });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([
      { field: 'config.steps[0].assigned_users[0]', issue: `there is no active user ${String(user)}` },
      { field: 'config.steps[1].item.assigned_to', issue: `there is no active user ${String(user)}` },
      { field: 'config.steps[1].item.assigned_contractors[0]', issue: `there is no contact ${String(contact)}` },
    ]);
  });

  it('refuses branches that are nested too deep', async () => {
    const nested = (depth: number): object =>
      depth === 0 ? STEPS[0]! : { type: 'branch', if: { a: 1 }, then: [nested(depth - 1)] };
    expect((await call('post', '/workflows', { ...URGENT_JOBS, ...step(nested(5)) })).status).toBe(201);
    expectRefusal(await call('post', '/workflows', { ...URGENT_JOBS, ...step(nested(6)) }), 400, 'VALIDATION_ERROR');
    expectRefusal(await call('post', '/workflows', { ...URGENT_JOBS, ...step(nested(30)) }), 400, 'VALIDATION_ERROR');
  });
});

describe('GET /workflows', () => {
  it('lists by module, type, status and trigger, newest first', async () => {
    const module = 'listing';
    const first = await created({ module });
    const second = await created({ module, type: 'approval', trigger_type: 'manual', status: 'draft' });
    const ids = async (query: string): Promise<number[]> => {
      const answer = await call('get', `/workflows?module=${module}${query}`, undefined, { role: 'member' });
      expect(answer.status).toBe(200);
      expect(answer.body.meta.pagination.total).toBe(answer.body.data.length);
      return answer.body.data.map((template: { id: number }) => template.id);
    };
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('&status=active')).toEqual([first.id]);
    expect(await ids('&trigger_type=manual')).toEqual([second.id]);
    expect(await ids('&type=approval')).toEqual([second.id]);
  });

  it('does not show another client’s', async () => {
    const { id } = await created({ name: 'Secret of acme' });
    const listed = await call('get', '/workflows', undefined, { tenant: api.rival });
    expect(listed.text).not.toContain('Secret of acme');
    expectRefusal(await call('get', `/workflows/${String(id)}`, undefined, { tenant: api.rival }), 404, 'NOT_FOUND');
    expectRefusal(
      await call('patch', `/workflows/${String(id)}`, { name: 'x' }, { tenant: api.rival }),
      404,
      'NOT_FOUND',
    );
    expectRefusal(await call('delete', `/workflows/${String(id)}`, undefined, { tenant: api.rival }), 404, 'NOT_FOUND');
    expectRefusal(await call('post', `/workflows/${String(id)}/runs`, {}, { tenant: api.rival }), 404, 'NOT_FOUND');
  });
});

describe('PATCH and DELETE /workflows/{id}', () => {
  it('changes what is given and checks the whole', async () => {
    const { id } = await created();
    const answer = await call('patch', `/workflows/${String(id)}`, { status: 'archived', description: 'Out of use' });
    expect(answer.body.data).toMatchObject({ status: 'archived', description: 'Out of use', name: 'Urgent jobs' });
    expectRefusal(
      await call('patch', `/workflows/${String(id)}`, { trigger_type: 'schedule' }),
      400,
      'VALIDATION_ERROR',
    );
    const trail = await api.services.system.query(
      statement(
        `select action, details from audit_entries where subject_type = 'workflow_template' and subject_id = $1 order by id`,
      ),
      [String(id)],
    );
    expect(trail).toEqual([
      { action: 'workflow_template.created', details: null },
      {
        action: 'workflow_template.updated',
        details: {
          changes: { description: { from: null, to: 'Out of use' }, status: { from: 'active', to: 'archived' } },
        },
      },
    ]);
  });

  it('that names someone who has left can be renamed and archived, and not be made active again', async () => {
    const contact = await api.acme.contact();
    const item = { item_type: 'job', title: 'Visit', contact_id: contact };
    const { id } = await created({ config: { ...URGENT_JOBS.config, steps: [{ type: 'create_item', item }] } });
    await api.services.system.query(statement('update contacts set deleted_at = now() where id = $1'), [contact]);
    const change = (body: object) => call('patch', `/workflows/${String(id)}`, body);
    expect((await change({ name: 'Out of use', status: 'archived' })).body.data).toMatchObject({ status: 'archived' });
    expectRefusal(await change({ status: 'active' }), 400, 'VALIDATION_ERROR');
  });

  it('an update that changes nothing leaves no trace', async () => {
    const { id } = await created();
    const before = (await call('get', `/workflows/${String(id)}`)).body.data;
    const { name, config } = before;
    for (const body of [{}, { name, config }]) {
      expect((await call('patch', `/workflows/${String(id)}`, body)).body.data).toEqual(before);
    }
    const trail = await api.services.system.query(
      statement(`select action from audit_entries where subject_type = 'workflow_template' and subject_id = $1`),
      [String(id)],
    );
    expect(trail).toEqual([{ action: 'workflow_template.created' }]);
  });

  it('a time that has come and was not run yet outlives a new name and other steps, and not a new schedule', async () => {
    const config = { cron: '0 7 * * *', steps: STEPS };
    const { id } = await created({ trigger_type: 'schedule', config });
    const due = new Date('2026-01-01T07:00:00Z');
    const set = statement('update workflow_templates set next_run_at = $2 where id = $1');
    const get = statement('select next_run_at from workflow_templates where id = $1');
    const nextRun = async () => (await api.services.system.query(get, [id]))[0]?.['next_run_at'];
    await api.services.system.query(set, [id, due]);
    const steps = [{ type: 'comment', body: 'Good morning' }];
    await call('patch', `/workflows/${String(id)}`, { name: 'Each morning', config: { ...config, steps } });
    expect(await nextRun()).toEqual(due);
    await call('patch', `/workflows/${String(id)}`, { config: { ...config, cron: '0 8 * * *' } });
    expect(await nextRun()).not.toEqual(due);
  });

  it('a time that is due once more starts no second run, and keeps no other template from its own', async () => {
    const config = { cron: '0 7 * * *', steps: STEPS };
    const ids: number[] = [];
    for (const name of ['First', 'Second']) ids.push((await created({ name, trigger_type: 'schedule', config })).id);
    const now = Date.parse('2026-01-01T07:00:30Z');
    const due = new Date('2026-01-01T07:00:00Z');
    const set = statement('update workflow_templates set next_run_at = $2 where id = any($1::int[])');
    const runs = statement('select template_id from workflow_runs where template_id = any($1::int[]) order by id');
    const start = async (which: number[]) => {
      await api.services.system.query(set, [which, due]);
      await startScheduledRuns(api.services.system, now);
      return (await api.services.system.query(runs, [ids])).map((run) => run['template_id']);
    };
    expect(await start(ids.slice(0, 1))).toEqual(ids.slice(0, 1));
    expect(await start(ids)).toEqual(ids);
  });

  it('a deleted template is gone', async () => {
    const { id } = await created();
    expect((await call('delete', `/workflows/${String(id)}`)).body.data).toEqual({ id, deleted: true });
    expectRefusal(await call('get', `/workflows/${String(id)}`), 404, 'NOT_FOUND');
    expectRefusal(await call('delete', `/workflows/${String(id)}`), 404, 'NOT_FOUND');
  });
});

describe('refusals of a configuration', () => {
  const refusal = async (step: object): Promise<{ field: string; issue: string }[]> => {
    const answer = await call('post', '/workflows', {
      ...URGENT_JOBS,
      config: { event: 'job.created', steps: [step] },
    });
    expect(answer.status).toBe(400);
    return answer.body.error.details;
  };

  it('are in plain words', async () => {
    expect(await refusal({ type: 'fly' })).toEqual([
      {
        field: 'config.steps[0].type',
        issue: 'must be one of create_item, assign, comment, notify, wait, branch',
      },
    ]);
    expect(await refusal({ type: 'assign', assigned_to: true })).toEqual([
      { field: 'config.steps[0].assigned_to', issue: 'must be a number or a string' },
    ]);
    const item = { item_type: 'job', title: 'x'.repeat(501) };
    expect(await refusal({ type: 'create_item', item })).toEqual([
      { field: 'config.steps[0].item.title', issue: 'must have at most 500 characters' },
    ]);
  });
});
