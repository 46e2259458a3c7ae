import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateWorkItem } from '../../domain/contracts/work-items.ts';
import type { WorkItem } from '../../domain/contracts/work-items.ts';
import { CreateWorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import type { WorkflowRun, WorkflowRunWithSteps, WorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import { createWorkItem, deleteWorkItem } from '../../domain/work-items/index.ts';
import {
  createTemplate,
  getRunWithSteps,
  listRuns,
  performStep,
  runTemplate,
  updateTemplate,
} from '../../domain/workflow-templates/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { processEnvironment, spawnProcess, temporalAddress, testDatabase } from '../support/stack.ts';
import type { SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { MASTER_KEY, Tenant } from './tenant.ts';

let database: TestDatabase;
let tenant: Tenant;
let worker: SpawnedProcess;
let connection: Connection;
let environment: Record<string, string>;

const startWorker = (): Promise<SpawnedProcess> =>
  spawnProcess('worker/main.ts', environment, { args: ['--queue', 'platform'] });

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
  environment = processEnvironment(database, { MASTER_KEY });
  worker = await startWorker();
  connection = await Connection.connect({ address: temporalAddress() });
});

afterAll(async () => {
  await worker.stop();
  await connection.close();
  await tenant.close();
  await database.drop();
});

function template(config: object, fields: object = {}): Promise<WorkflowTemplate> {
  const input = CreateWorkflowTemplate.parse({ name: 'T', module: 'm', status: 'active', config, ...fields });
  return tenant.tenants.transaction(tenant.clientId, (tx) => createTemplate(tx, tenant.caller, input));
}

function item(fields: object): Promise<WorkItem> {
  const input = CreateWorkItem.parse({ item_type: 'job', title: 'Pump', ...fields });
  return tenant.tenants.transaction(tenant.clientId, (tx) => createWorkItem(tx, tenant.caller, input));
}

function runsOf({ id }: WorkflowTemplate): Promise<WorkflowRun[]> {
  const reader = tenant.tenants.reader(tenant.clientId);
  return listRuns(reader, id, { limit: 50, offset: 0 }).then(({ runs }) => runs);
}

/** The template's only run, once it has got as far as `status`. */
function onlyRun(of: WorkflowTemplate, status: WorkflowRun['status'] = 'completed'): Promise<WorkflowRunWithSteps> {
  return within(20_000, async () => {
    const runs = await runsOf(of);
    expect(runs.map((run) => run.status)).toEqual([status]);
    return getRunWithSteps(tenant.tenants.reader(tenant.clientId), of.id, runs[0]?.run_id ?? '');
  });
}

async function rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return tenant.system.query(statement(sql), values);
}

describe('a template with trigger_type event', () => {
  it('runs as a workflow that does its steps, once for each event that meets its condition', async () => {
    const owner = Number(tenant.caller.actor.id);
    const made = await template(
      {
        event: 'job.created',
        condition: { 'work_item.priority': 'urgent' },
        steps: [
          {
            type: 'create_item',
            name: 'inspection',
            is_child: true,
            item: { item_type: 'task', title: 'Inspect {{ work_item.title }}', tags: ['{{ work_item.priority }}'] },
          },
          { type: 'assign', assigned_to: owner },
          {
            type: 'assign',
            work_item: '{{ steps.inspection.work_item_id }}',
            assigned_users: ['{{ work_item.assigned_to }}'],
          },
          { type: 'comment', body: 'Planned {{ steps.inspection.item_number }}.' },
          { type: 'wait', seconds: 1 },
          {
            type: 'branch',
            if: { 'work_item.assigned_to': owner },
            then: [
              {
                type: 'notify',
                user_ids: ['{{ work_item.assigned_to }}'],
                subject: 'Urgent',
                body: '{{ work_item.title }}',
              },
            ],
            else: [{ type: 'comment', body: 'never' }],
          },
        ],
      },
      { trigger_type: 'event' },
    );
    await item({ priority: 'low' });
    const job = await item({ title: 'North pump', priority: 'urgent' });
    const run = await onlyRun(made);
    expect(run).toMatchObject({ trigger: 'event job.created', work_item_id: job.work_item_id, error: null });
    expect(run.steps.map(({ path, type }) => `${path} ${type}`)).toEqual([
      '0 create_item',
      '1 assign',
      '2 assign',
      '3 comment',
      '5.then.0 notify',
    ]);
    const [task] = await rows(
      `select t.title, t.tags, t.assigned_to, t.created_by_type, t.created_by_id, r.related_id as parent
       from work_items t join work_item_relationships r on r.work_item_id = t.id where t.work_item_id = $1`,
      run.steps[0]?.result['work_item_id'],
    );
    expect(task).toEqual({
      title: 'Inspect North pump',
      tags: ['urgent'],
      assigned_to: owner,
      created_by_type: 'system',
      created_by_id: `workflow-template/${String(made.id)}`,
      parent: job.id,
    });
    expect(await rows('select body from work_item_comments where work_item_id = $1', job.id)).toEqual([
      { body: `Planned ${String(run.steps[0]?.result['item_number'])}.` },
    ]);
    expect(await rows('select sender_id, body from thread_messages')).toEqual([
      { sender_id: null, body: 'North pump' },
    ]);
    const handle = new Client({ connection }).workflow.getHandle(`workflow-template/${String(made.id)}/${run.run_id}`);
    expect(await handle.query('progress')).toMatchObject({ steps_done: 7 });
    expect((await handle.describe()).memo).toMatchObject({ template: 'T', trigger: 'event job.created' });
    await recordHistory('run-template.completed', await handle.fetchHistory());
  });

  it('never starts itself, nor through another template', async () => {
    const makes = (from: string, to: string): Promise<WorkflowTemplate> =>
      template(
        {
          event: `${from}.created`,
          condition: { 'work_item.title': 'Round' },
          steps: [{ type: 'create_item', item: { item_type: to, title: 'Round' } }],
        },
        { trigger_type: 'event' },
      );
    const [own, first, second] = [
      await makes('ticket', 'ticket'),
      await makes('milestone', 'project'),
      await makes('project', 'milestone'),
    ];
    await item({ item_type: 'ticket', title: 'Round' });
    await item({ item_type: 'milestone', title: 'Round' });
    for (const made of [own, first, second]) await onlyRun(made);
    await within(10_000, async () => {
      expect(await rows('select 1 from events where dispatched_at is null')).toEqual([]);
    });
    await sleep(500);
    for (const made of [own, first, second]) expect(await runsOf(made)).toHaveLength(1);
    expect(
      await rows(`select item_type, count(*)::int as n from work_items where title = 'Round' group by 1 order by 1`),
    ).toEqual([
      { item_type: 'milestone', n: 2 },
      { item_type: 'project', n: 1 },
      { item_type: 'ticket', n: 2 },
    ]);
  });

  it('starts one run for an event that is dispatched twice, because PostgreSQL forgot that it was', async () => {
    const made = await template(
      { event: 'task.created', condition: { 'work_item.title': 'Twice' }, steps: [{ type: 'comment', body: 'once' }] },
      { trigger_type: 'event' },
    );
    const task = await item({ item_type: 'task', title: 'Twice' });
    const run = await onlyRun(made);
    await rows(
      `delete from workflow_run_steps where run_id = (select id from workflow_runs where run_id = $1)`,
      run.run_id,
    );
    await rows(`delete from workflow_runs where run_id = $1`, run.run_id);
    await rows(`update events set dispatched_at = null where work_item_id = $1 and name = 'task.created'`, task.id);
    await within(10_000, async () => {
      expect((await runsOf(made)).map(({ run_id }) => run_id)).toEqual([run.run_id]);
    });
    await within(10_000, async () => {
      expect(await rows('select 1 from workflow_starts')).toEqual([]);
    });
    expect(await rows('select body from work_item_comments where work_item_id = $1', task.id)).toHaveLength(1);
  });
});

describe('a run', () => {
  it('whose step can’t be done fails with the reason; what was done stays', async () => {
    const job = await item({ title: 'Short-lived' });
    const made = await template({
      steps: [
        { type: 'comment', body: 'first' },
        { type: 'assign', assigned_to: '{{ data.nobody }}' },
      ],
    });
    await start(made, { work_item_id: job.work_item_id, data: { nobody: 999_999 } });
    expect(await onlyRun(made, 'failed')).toMatchObject({
      error: expect.stringMatching(/assigned_to.*999999/),
      steps: [{ path: '0' }],
    });
  });

  it('whose item was deleted meanwhile fails where it needs it', async () => {
    const job = await item({ title: 'Gone soon' });
    const made = await template({
      steps: [
        { type: 'wait', seconds: 2 },
        { type: 'comment', body: 'too late' },
      ],
    });
    await start(made, { work_item_id: String(job.id) });
    await onlyRun(made, 'running');
    await tenant.tenants.transaction(tenant.clientId, (tx) => deleteWorkItem(tx, tenant.caller, job.work_item_id));
    expect(await onlyRun(made, 'failed')).toMatchObject({ error: expect.stringMatching(/no work item/) });
  });

  it('outlives its worker, and keeps the steps it began with', async () => {
    const job = await item({ title: 'Durable' });
    const made = await template({
      steps: [
        { type: 'comment', body: 'before' },
        { type: 'wait', seconds: 4 },
        { type: 'comment', body: 'after' },
      ],
    });
    await start(made, { work_item_id: job.work_item_id });
    await within(10_000, async () => expect((await onlyRun(made, 'running')).steps).toHaveLength(1));
    await worker.kill9();
    await tenant.tenants.transaction(tenant.clientId, (tx) =>
      updateTemplate(tx, tenant.caller, made.id, {
        config: { steps: [{ type: 'comment', body: 'other', is_internal: true }] },
      }),
    );
    worker = await startWorker();
    await onlyRun(made);
    const comments = await rows('select body from work_item_comments where work_item_id = $1 order by id', job.id);
    expect(comments).toEqual([{ body: 'before' }, { body: 'after' }]);
  });

  it('that an operator cancels ends as cancelled', async () => {
    const made = await template({ steps: [{ type: 'wait', seconds: 3_600 }] });
    const { run_id } = await start(made, {});
    await onlyRun(made, 'running');
    await new Client({ connection }).workflow.getHandle(`workflow-template/${String(made.id)}/${run_id}`).cancel();
    expect((await onlyRun(made, 'cancelled')).error).toBeNull();
  });

  it('does a step once, however often its activity is repeated', async () => {
    const job = await item({ title: 'Repeated' });
    const made = await template({ steps: [{ type: 'comment', body: 'once' }] });
    const { run_id } = await start(made, { work_item_id: job.work_item_id });
    await onlyRun(made);
    const again = (): Promise<void> =>
      tenant.tenants.transaction(tenant.clientId, (tx) => performStep(tx, run_id, '0'));
    await Promise.all([again(), again(), again()]);
    expect(await rows('select body from work_item_comments where work_item_id = $1', job.id)).toHaveLength(1);
  });
});

describe('a template with trigger_type schedule', () => {
  it('runs when its time has come, once however late, and knows its next time', async () => {
    const made = await template(
      {
        cron: '0 7 * * 1',
        timezone: 'Europe/Berlin',
        steps: [{ type: 'create_item', item: { item_type: 'task', title: 'Weekly {{ data.scheduled_for }}' } }],
      },
      { trigger_type: 'schedule' },
    );
    const [{ next_run_at: next } = {}] = await rows(
      'select next_run_at from workflow_templates where id = $1',
      made.id,
    );
    const shown = new Intl.DateTimeFormat('en', {
      timeZone: 'Europe/Berlin',
      weekday: 'short',
      hour: '2-digit',
      hourCycle: 'h23',
    });
    expect(shown.format(next as Date)).toBe('Mon, 07');
    await rows(`update workflow_templates set next_run_at = now() - interval '15 days' where id = $1`, made.id);
    await within(15_000, () =>
      new Client({ connection }).schedule.getHandle(`${database.name}-start-scheduled-templates`).trigger(),
    );
    const run = await onlyRun(made);
    expect(run.trigger).toMatch(/^schedule \d{4}-/);
    expect(await rows(`select 1 from work_items where title like 'Weekly 20%'`)).toHaveLength(1);
    expect(await rows('select next_run_at from workflow_templates where id = $1', made.id)).toEqual([
      { next_run_at: next },
    ]);
  });
});

function start(
  made: WorkflowTemplate,
  input: { work_item_id?: string; data?: Record<string, unknown> },
): Promise<WorkflowRun> {
  return tenant.tenants.transaction(tenant.clientId, (tx) => runTemplate(tx, tenant.caller, made.id, input));
}
