import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { TemplateStand } from './template-stand.ts';

const CLIENT_ID = defineSearchAttributeKey('ClientId', SearchAttributeType.KEYWORD);

let stand: TemplateStand;
beforeAll(async () => {
  stand = await TemplateStand.start();
});
afterAll(() => stand.close());

describe('a template with trigger_type event', () => {
  it('runs as a workflow that does its steps, once for each event that meets its condition', async () => {
    const owner = Number(stand.tenant.caller.actor.id);
    const made = await stand.template(
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
    const idle = [];
    for (const status of ['draft', 'archived']) {
      const steps = [{ type: 'comment', body: 'never' }];
      idle.push(await stand.template({ event: 'job.created', steps }, { trigger_type: 'event', status }));
    }
    await stand.item({ priority: 'low' });
    const job = await stand.item({ title: 'North pump', priority: 'urgent' });
    const run = await stand.onlyRun(made);
    for (const template of idle) expect(await stand.runsOf(template)).toEqual([]);
    expect(run).toMatchObject({ trigger: 'event job.created', work_item_id: job.work_item_id, error: null });
    expect(run.steps.map(({ path, type }) => `${path} ${type}`)).toEqual([
      '0 create_item',
      '1 assign',
      '2 assign',
      '3 comment',
      '4 wait',
      '5 branch',
      '5.then.0 notify',
    ]);
    expect(run.steps.slice(4, 6).map(({ result }) => result)).toEqual([{ seconds: 1 }, { way: 'then' }]);
    const [task] = await stand.rows(
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
    expect(await stand.rows('select body from work_item_comments where work_item_id = $1', job.id)).toEqual([
      { body: `Planned ${String(run.steps[0]?.result['item_number'])}.` },
    ]);
    expect(await stand.rows('select sender_id, body from thread_messages')).toEqual([
      { sender_id: null, body: 'North pump' },
    ]);
    const handle = stand.client.workflow.getHandle(`workflow-template/${String(made.id)}/${run.run_id}`);
    expect(await handle.query('progress')).toMatchObject({ steps_done: 7 });
    // What an operator reads and searches by in the Temporal UI.
    const { memo, typedSearchAttributes, type } = await handle.describe();
    expect({ type, memo }).toMatchObject({
      type: 'runTemplate',
      memo: { template: 'T', trigger: 'event job.created' },
    });
    expect(typedSearchAttributes.get(CLIENT_ID)).toBe(String(stand.tenant.clientId));
    await recordHistory('run-template.waits-noted', await handle.fetchHistory());
  });

  it('never starts itself, nor through another template', async () => {
    const makes = (from: string, to: string): Promise<WorkflowTemplate> =>
      stand.template(
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
    await stand.item({ item_type: 'ticket', title: 'Round' });
    await stand.item({ item_type: 'milestone', title: 'Round' });
    for (const made of [own, first, second]) await stand.onlyRun(made);
    await within(10_000, async () => {
      expect(await stand.rows('select 1 from events where dispatched_at is null')).toEqual([]);
    });
    await sleep(500);
    for (const made of [own, first, second]) expect(await stand.runsOf(made)).toHaveLength(1);
    expect(
      await stand.rows(
        `select item_type, count(*)::int as n from work_items where title = 'Round' group by 1 order by 1`,
      ),
    ).toEqual([
      { item_type: 'milestone', n: 2 },
      { item_type: 'project', n: 1 },
      { item_type: 'ticket', n: 2 },
    ]);
  });

  it('leads to others five in a row, and to no sixth', async () => {
    const types = ['job', 'task', 'ticket', 'project', 'milestone', 'job'];
    const chain = [];
    for (const [index, type] of types.entries()) {
      const item = { item_type: types[index + 1] ?? 'task', title: `Link ${String(index + 1)}` };
      const condition = { 'work_item.title': `Link ${String(index)}` };
      const config = { event: `${type}.created`, condition, steps: [{ type: 'create_item', item }] };
      chain.push(await stand.template(config, { trigger_type: 'event' }));
    }
    await stand.item({ title: 'Link 0' });
    for (const made of chain.slice(0, 5)) await stand.onlyRun(made);
    await within(10_000, async () => {
      expect(await stand.rows('select 1 from events where dispatched_at is null')).toEqual([]);
    });
    await sleep(500);
    expect(await stand.runsOf(chain[5]!)).toEqual([]);
  });

  it('starts one run for an event that is dispatched twice, because PostgreSQL forgot that it was', async () => {
    const made = await stand.template(
      { event: 'task.created', condition: { 'work_item.title': 'Twice' }, steps: [{ type: 'comment', body: 'once' }] },
      { trigger_type: 'event' },
    );
    const task = await stand.item({ item_type: 'task', title: 'Twice' });
    const run = await stand.onlyRun(made);
    await stand.rows(
      `delete from workflow_run_steps where run_id = (select id from workflow_runs where run_id = $1)`,
      run.run_id,
    );
    await stand.rows(`delete from workflow_runs where run_id = $1`, run.run_id);
    await stand.rows(
      `update events set dispatched_at = null where work_item_id = $1 and name = 'task.created'`,
      task.id,
    );
    await within(10_000, async () => {
      expect((await stand.runsOf(made)).map(({ run_id }) => run_id)).toEqual([run.run_id]);
    });
    await within(10_000, async () => {
      expect(await stand.rows('select 1 from workflow_starts')).toEqual([]);
    });
    expect(await stand.rows('select body from work_item_comments where work_item_id = $1', task.id)).toHaveLength(1);
  });
});

describe('a template with trigger_type schedule', () => {
  it('runs when its time has come, and knows its next time', async () => {
    const made = await stand.template(
      {
        cron: '0 7 * * 1',
        timezone: 'Europe/Berlin',
        steps: [{ type: 'create_item', item: { item_type: 'task', title: 'Weekly {{ data.scheduled_for }}' } }],
      },
      { trigger_type: 'schedule' },
    );
    const [{ next_run_at: next } = {}] = await stand.rows(
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
    await stand.rows(`update workflow_templates set next_run_at = now() - interval '1 minute' where id = $1`, made.id);
    await stand.triggerSchedule();
    const run = await stand.onlyRun(made);
    expect(run.trigger).toMatch(/^schedule \d{4}-/);
    expect(await stand.rows(`select 1 from work_items where title like 'Weekly 20%'`)).toHaveLength(1);
    expect(await stand.rows('select next_run_at from workflow_templates where id = $1', made.id)).toEqual([
      { next_run_at: next },
    ]);
  });

  it('makes up for each time of the last day that was missed, and notes that it let older ones go', async () => {
    const made = await stand.template(
      { cron: '0 */6 * * *', timezone: 'UTC', steps: [{ type: 'wait', seconds: 1 }] },
      { trigger_type: 'schedule' },
    );
    await stand.rows(
      `update workflow_templates set next_run_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
         - interval '15 days' where id = $1`,
      made.id,
    );
    await stand.triggerSchedule();
    const times = await within(15_000, async () => {
      const runs = await stand.runsOf(made);
      expect(runs.map((run) => run.status)).toEqual(['completed', 'completed', 'completed', 'completed']);
      return runs.map(({ trigger }) => Date.parse(trigger.slice('schedule '.length)));
    });
    const day = 24 * 3_600_000;
    expect(times.map((time) => time % (day / 4))).toEqual([0, 0, 0, 0]);
    expect(Date.now() - (times.at(-1) ?? 0)).toBeLessThanOrEqual(day + 60_000);
    expect(
      await stand.rows(
        `select actor_id, details ->> 'from' as since from audit_entries
         where action = 'workflow_template.occurrences_missed' and subject_id = $1`,
        String(made.id),
      ),
    ).toEqual([{ actor_id: `workflow-template/${String(made.id)}`, since: expect.stringMatching(/T00:00:00/) }]);
  });
});
