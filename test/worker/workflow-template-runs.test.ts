import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createContact } from '../../domain/contacts/index.ts';
import { CreateContact } from '../../domain/contracts/contacts.ts';
import type { UpdateWorkItemInput } from '../../domain/contracts/work-items.ts';
import { MAX_BRANCH_DEPTH, MAX_STEPS } from '../../domain/contracts/workflow-templates.ts';
import type { WorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import { applySolution, listSolutions } from '../../domain/industry-solutions/index.ts';
import { deleteWorkItem, updateWorkItem } from '../../domain/work-items/index.ts';
import {
  beginRun,
  branchHolds,
  cancelRun,
  performStep,
  RunCancelled,
  runTemplate,
  updateTemplate,
} from '../../domain/workflow-templates/index.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { TemplateStand } from './template-stand.ts';

let stand: TemplateStand;
beforeAll(async () => {
  stand = await TemplateStand.start();
});
afterAll(() => stand.close());

describe('a run', () => {
  it('whose step can’t be done fails with the reason; what was done stays', async () => {
    const job = await stand.item({ title: 'Short-lived' });
    const made = await stand.template({
      steps: [
        { type: 'comment', body: 'first' },
        { type: 'assign', assigned_to: '{{ data.nobody }}' },
      ],
    });
    await stand.start(made, { work_item_id: job.work_item_id, data: { nobody: 999_999 } });
    expect(await stand.onlyRun(made, 'failed')).toMatchObject({
      error: expect.stringMatching(/assigned_to.*999999/),
      steps: [{ path: '0' }],
    });
    await stand.ended(made, /^FAILED$/);
  });

  it('says in plain words what a placeholder came to that doesn’t fit', async () => {
    const job = await stand.item({ title: 'x'.repeat(300) });
    const made = await stand.template({
      steps: [
        { type: 'create_item', item: { item_type: 'task', title: '{{ work_item.title }}{{ work_item.title }}' } },
      ],
    });
    await stand.start(made, { work_item_id: job.work_item_id });
    expect((await stand.onlyRun(made, 'failed')).error).toBe('item.title: must have at most 500 characters');
  });

  it('leaves out optional fields whose placeholders find nothing; required ones and assignments fail', async () => {
    const job = await stand.item({ title: 'Sparse' });
    const nothing = '{{ data.nothing }}';
    const fields = { item_type: 'task', title: 'Filled', due_date: nothing, tags: [nothing], assigned_to: nothing };
    const lenient = await stand.template({ steps: [{ type: 'create_item', name: 'made', item: fields }] });
    await stand.start(lenient, { work_item_id: job.work_item_id });
    await stand.onlyRun(lenient);
    expect(await stand.rows(`select due_date, tags, assigned_to from work_items where title = 'Filled'`)).toEqual([
      { due_date: null, tags: [], assigned_to: null },
    ]);
    const untitled = await stand.template({ steps: [{ type: 'create_item', item: { ...fields, title: nothing } }] });
    await stand.start(untitled, {});
    expect((await stand.onlyRun(untitled, 'failed')).error).toBe('item.title: is required');
    const nobody = await stand.template({
      steps: [{ type: 'assign', assigned_to: nothing, assigned_users: [nothing] }],
    });
    await stand.start(nobody, { work_item_id: job.work_item_id });
    expect((await stand.onlyRun(nobody, 'failed')).error).toBe('There is nobody to assign.');
  });

  it('whose item was deleted meanwhile fails where it needs it', async () => {
    const job = await stand.item({ title: 'Gone soon' });
    const made = await stand.template({
      steps: [
        { type: 'wait', seconds: 2 },
        { type: 'comment', body: 'too late' },
      ],
    });
    await stand.start(made, { work_item_id: String(job.id) });
    await stand.onlyRun(made, 'running');
    await stand.tenant.tenants.transaction(stand.tenant.clientId, (tx) =>
      deleteWorkItem(tx, stand.tenant.caller, job.work_item_id),
    );
    expect(await stand.onlyRun(made, 'failed')).toMatchObject({ error: expect.stringMatching(/no work item/) });
  });

  it('outlives its worker, and keeps the steps it began with', async () => {
    const job = await stand.item({ title: 'Durable' });
    const made = await stand.template({
      steps: [
        { type: 'comment', body: 'before' },
        { type: 'wait', seconds: 4 },
        { type: 'comment', body: 'after' },
      ],
    });
    await stand.start(made, { work_item_id: job.work_item_id });
    await within(10_000, async () => expect((await stand.onlyRun(made, 'running')).steps).toHaveLength(1));
    await stand.worker.kill9();
    await stand.tenant.tenants.transaction(stand.tenant.clientId, (tx) =>
      updateTemplate(tx, stand.tenant.caller, made.id, {
        status: 'archived',
        config: { steps: [{ type: 'comment', body: 'other', is_internal: true }] },
      }),
    );
    await stand.startWorker();
    await stand.onlyRun(made);
    const comments = await stand.rows(
      'select body from work_item_comments where work_item_id = $1 order by id',
      job.id,
    );
    expect(comments).toEqual([{ body: 'before' }, { body: 'after' }]);
  });

  it('of as many steps as there may be ends, and its history is far from what Temporal takes', async () => {
    const job = await stand.item({ title: 'Long' });
    const note = { type: 'comment', body: 'note' };
    const nested = (depth: number): object =>
      depth === 0 ? note : { type: 'branch', if: { 'work_item.title': 'Long' }, then: [nested(depth - 1)] };
    const plain = Array.from({ length: MAX_STEPS - MAX_BRANCH_DEPTH - 1 }, () => note);
    const made = await stand.template({ steps: [...plain, nested(MAX_BRANCH_DEPTH)] });
    await stand.start(made, { work_item_id: job.work_item_id });
    const run = await stand.onlyRun(made);
    expect(run.steps).toHaveLength(MAX_STEPS);
    const { historyLength } = await stand.handleOf(made, run.run_id).describe();
    // Temporal warns at 10,240 events and ends a workflow at 51,200.
    expect(historyLength).toBeLessThan(1_000);
  }, 60_000);

  it('that an operator cancels ends as cancelled', async () => {
    const made = await stand.template({ steps: [{ type: 'wait', seconds: 3_600 }] });
    const { run_id } = await stand.start(made, {});
    await stand.onlyRun(made, 'running');
    await stand.client.workflow.getHandle(`workflow-template/${String(made.id)}/${run_id}`).cancel();
    expect((await stand.onlyRun(made, 'cancelled')).error).toBeNull();
    await stand.ended(made, /^CANCELLED$/);
  });

  it('that is cancelled through the API ends as cancelled, in Temporal too', async () => {
    const made = await stand.template({ steps: [{ type: 'wait', seconds: 3_600 }] });
    const { run_id } = await stand.start(made, {});
    await stand.onlyRun(made, 'running');
    await stand.cancel(made, run_id);
    await stand.onlyRun(made, 'cancelled');
    const handle = await stand.ended(made, /^CANCELLED$/);
    await recordHistory('run-template.cancelled', await handle.fetchHistory());
    const canceller = stand.client.workflow.getHandle(`cancel-template-run/${run_id}`);
    expect(await canceller.result()).toEqual({ found: true });
    await recordHistory('cancel-template-run.found', await canceller.fetchHistory());
    await expect(stand.cancel(made, run_id)).rejects.toThrow('The run is cancelled already.');
  });

  it('that is cancelled before it began does nothing', async () => {
    const job = await stand.item({ title: 'Never begun' });
    const made = await stand.template({ steps: [{ type: 'comment', body: 'never' }] });
    await stand.tenant.tenants.transaction(stand.tenant.clientId, async (tx) => {
      const { run_id } = await runTemplate(tx, stand.tenant.caller, made.id, { work_item_id: job.work_item_id });
      await cancelRun(tx, stand.tenant.caller, made.id, run_id);
    });
    expect(await stand.onlyRun(made, 'cancelled')).toMatchObject({ error: null, steps: [] });
    await stand.ended(made, /^(CANCELLED|COMPLETED)$/);
    expect(await stand.rows('select 1 from work_item_comments where work_item_id = $1', job.id)).toEqual([]);
  });

  it('whose workflow an operator has terminated is cancelled through the API', async () => {
    const made = await stand.template({ steps: [{ type: 'wait', seconds: 3_600 }] });
    const { run_id } = await stand.start(made, {});
    await stand.onlyRun(made, 'running');
    await stand.handleOf(made, run_id).terminate();
    await stand.cancel(made, run_id);
    expect(await stand.onlyRun(made, 'cancelled')).toMatchObject({ run_id, finished_at: expect.any(String) });
  });

  it('whose workflow never started ends all the same', async () => {
    const made = await stand.template({ steps: [{ type: 'wait', seconds: 1 }] });
    const runId = randomUUID();
    await stand.rows(
      `insert into workflow_runs (run_id, client_id, template_id, trigger, steps, data) values ($1, $2, $3, 'manual', '[]', '{}')`,
      runId,
      stand.tenant.clientId,
      made.id,
    );
    await stand.cancel(made, runId);
    await stand.onlyRun(made, 'cancelled');
    const canceller = stand.client.workflow.getHandle(`cancel-template-run/${runId}`);
    expect(await canceller.result()).toEqual({ found: false });
    await recordHistory('cancel-template-run.not-found', await canceller.fetchHistory());
  });

  it('begins no further step once its cancellation was asked for, whatever its workflow tries', async () => {
    const made = await stand.template({
      steps: [
        { type: 'wait', seconds: 3_600 },
        { type: 'branch', if: { a: 1 }, then: [] },
      ],
    });
    const { run_id } = await stand.start(made, {});
    await stand.onlyRun(made, 'running');
    await stand.tenant.tenants.transaction(stand.tenant.clientId, async (tx) => {
      await cancelRun(tx, stand.tenant.caller, made.id, run_id);
      await expect(performStep(tx, run_id, '0')).rejects.toThrow(RunCancelled);
      await expect(branchHolds(tx, run_id, '1')).rejects.toThrow(RunCancelled);
      await expect(beginRun(tx, run_id)).rejects.toThrow(RunCancelled);
    });
    await stand.onlyRun(made, 'cancelled');
  });

  it('does a step once, however often its activity is repeated', async () => {
    const job = await stand.item({ title: 'Repeated' });
    const made = await stand.template({ steps: [{ type: 'comment', body: 'once' }] });
    const { run_id } = await stand.start(made, { work_item_id: job.work_item_id });
    await stand.onlyRun(made);
    const again = (): Promise<void> =>
      stand.tenant.tenants.transaction(stand.tenant.clientId, (tx) => performStep(tx, run_id, '0'));
    await Promise.all([again(), again(), again()]);
    expect(await stand.rows('select body from work_item_comments where work_item_id = $1', job.id)).toHaveLength(1);
  });
});

describe('the templates of the industry solutions', () => {
  /** All of them, their waits cut down to a second. */
  async function applyAll(): Promise<WorkflowTemplate[]> {
    const { tenants, clientId, caller } = stand.tenant;
    const installed: WorkflowTemplate[] = [];
    for (const { solution_key } of await listSolutions(tenants.reader(clientId))) {
      const applied = await tenants.transaction(clientId, (tx) => applySolution(tx, caller, solution_key));
      installed.push(...applied.installed);
    }
    for (const { id, config } of installed) {
      const impatient = (key: string, value: unknown): unknown => (key === 'seconds' ? 1 : value);
      const changed = { config: JSON.parse(JSON.stringify(config), impatient) as typeof config };
      await tenants.transaction(clientId, (tx) => updateTemplate(tx, caller, id, changed));
    }
    return installed;
  }

  async function moved(fields: object, status: UpdateWorkItemInput['status']): Promise<string> {
    const { work_item_id, item_number } = await stand.item(fields);
    const { tenants, clientId, caller } = stand.tenant;
    await tenants.transaction(clientId, (tx) => updateWorkItem(tx, caller, { work_item_id, status }));
    return item_number;
  }

  it('do what they are there for, each of the twelve in a run of its own', async () => {
    const installed = await applyAll();
    expect(installed).toHaveLength(12);
    const { tenants, clientId, caller } = stand.tenant;
    const assigned_to = Number(caller.actor.id);
    const urgent = await stand.item({ title: 'Burst pipe', priority: 'urgent', assigned_to });
    const ticket = await stand.item({ item_type: 'ticket', title: 'Leak', priority: 'high', assigned_to });
    const held = await moved({ title: 'Delivery', assigned_to }, 'on_hold');
    const job = await moved({ title: 'New seals', contact_name: 'Kruger Farms' }, 'completed');
    const project = await moved({ item_type: 'project', title: 'Hall' }, 'completed');
    await moved({ item_type: 'milestone', title: 'Roof' }, 'completed');
    const customer = CreateContact.parse({ name: 'Thandi Nkosi' });
    await tenants.transaction(clientId, (tx) => createContact(tx, caller, customer));
    for (const template of installed) await stand.onlyRun(template);
    const makers = installed.map(({ id }) => `workflow-template/${String(id)}`);
    const made = await stand.rows(
      `select title as text from work_items where created_by_id = any($1)
       union all select body from work_item_comments where created_by_id = any($1)
       union all select subject from threads where created_by_id = any($1)`,
      makers,
    );
    expect(made.map(({ text }) => String(text).replace(/JOB-\d+\.$/, 'JOB')).sort()).toEqual(
      [
        `Urgent job ${urgent.item_number}`,
        `Still open: ${urgent.item_number}`,
        'Open for more than an hour although urgent.',
        `Follow up with Kruger Farms on ${job}`,
        'No solution after four hours.',
        `Ticket ${ticket.item_number} waits`,
        'Welcome Thandi Nkosi',
        `Quality check of ${job}: New seals`,
        'Milestone reached.',
        'Review after Roof',
        `File the proof of delivery of ${job}`,
        `${held} is on hold`,
        'On hold for a day.',
        `Decide on ${held}`,
        'Plan the kick-off of Hall',
        'Agree on the scope of Hall',
        `Invoice ${project}: Hall`,
        'Repair: Leak',
        'Became JOB',
        `Check the repair ${job}`,
      ].sort(),
    );
  }, 60_000);
});
