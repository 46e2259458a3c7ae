import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startRecurringApi } from './recurring-jobs-support.ts';
import type { JobAnswer, RecurringApi } from './recurring-jobs-support.ts';
import { expectRefusal } from './support.ts';
import type { ApiTenant } from './support.ts';

let recurring: RecurringApi;
let rivalKey: string;
beforeAll(async () => {
  recurring = await startRecurringApi();
  rivalKey = await recurring.api.rival.key();
});
afterAll(() => recurring.api.close());

/** A day from now, as an ISO date. */
const daysAhead = (days: number): string =>
  new Date(recurring.api.clock.now() + days * 86_400_000).toISOString().slice(0, 10);

const DAILY = { frequency: 'daily' };

describe('create-recurring-job', () => {
  it('fills in what is left out, and get-recurring-job tells the next five occurrences', async () => {
    const answer = await recurring.create({ schedule: { frequency: 'daily' } });
    expect(answer.status).toBe(200);
    const job = answer.body.data;
    expect(job).toMatchObject({
      recurring_job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id: recurring.api.acme.clientId,
      title: 'Inspect the pump',
      item_type: 'job',
      status: 'active',
      schedule: { frequency: 'daily', interval: 1, time: '00:00', timezone: 'Africa/Johannesburg', cron: null },
      end_date: null,
      max_occurrences: null,
      template: {},
      occurrences_generated: 0,
    });
    const detail = await recurring.get(job.recurring_job_id);
    expect(detail.last_run).toBeNull();
    expect(detail.next_occurrences).toHaveLength(5);
    expect(detail.next_occurrences[0]).toBe(job.next_occurrence_at);
    expect(job.next_occurrence_at).toMatch(/T22:00:00\.000Z$/);
  });

  it('takes every field, and reads all of it back', async () => {
    const { member } = recurring.api.acme.users;
    const template = {
      description: 'Oil, seals, pressure',
      priority: 'high',
      assigned_to: member.id,
      tags: ['pump'],
      custom_fields: { checklist: ['oil', { seals: true }] },
      due_date: '2030-01-03',
    };
    const input = {
      title: 'Service',
      item_type: 'task',
      schedule: { frequency: 'monthly', interval: 2, day_of_month: 31, time: '06:30', timezone: 'Europe/Berlin' },
      start_date: '2030-01-01',
      end_date: '2031-12-31',
      max_occurrences: 4,
      template,
    };
    const job = await recurring.created(input);
    expect(await recurring.get(job.recurring_job_id)).toMatchObject({
      ...input,
      next_occurrence_at: '2030-01-31T05:30:00.000Z',
      next_occurrences: [
        '2030-01-31T05:30:00.000Z',
        '2030-03-31T04:30:00.000Z',
        '2030-05-31T04:30:00.000Z',
        '2030-07-31T04:30:00.000Z',
      ],
    });
  });

  it('writes its event, its audit entry and the wish for its schedule with it', async () => {
    const job = await recurring.created();
    const id = job.recurring_job_id;
    expect(await recurring.events(id)).toEqual([{ name: 'recurring_job.created', data: { recurring_job: job } }]);
    expect(await recurring.audits(id)).toMatchObject([{ actor_type: 'api_key', action: 'recurring_job.created' }]);
    expect(await recurring.syncs(id)).toEqual([
      {
        workflow_id: `recurring-sync/${id}/1`,
        workflow_type: 'syncRecurringSchedule',
        input: { client_id: recurring.api.acme.clientId, recurring_job_id: id },
      },
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a cron expression that never comes true',
      { schedule: { frequency: 'cron', cron: '0 0 30 2 *' } },
      'schedule.cron',
    ],
    ['a minute that is none', { schedule: { frequency: 'cron', cron: '61 * * * *' } }, 'schedule.cron'],
    ['six cron fields', { schedule: { frequency: 'cron', cron: '* * * * * *' } }, 'schedule.cron'],
    ['a cron nickname', { schedule: { frequency: 'cron', cron: '@daily' } }, 'schedule.cron'],
    ['a cron extension', { schedule: { frequency: 'cron', cron: '0 0 15W * *' } }, 'schedule.cron'],
    ['the last weekday, in cron', { schedule: { frequency: 'cron', cron: '0 0 LW * *' } }, 'schedule.cron'],
    ['the last Friday, in cron', { schedule: { frequency: 'cron', cron: '0 0 * * friL' } }, 'schedule.cron'],
    ['cron without an expression', { schedule: { frequency: 'cron' } }, 'schedule.cron'],
    ['a time beside cron', { schedule: { frequency: 'cron', cron: '0 0 * * *', time: '08:00' } }, 'schedule.time'],
    [
      'days of the week of a month',
      { schedule: { frequency: 'monthly', days_of_week: ['monday'] } },
      'schedule.days_of_week',
    ],
    ['an unknown frequency', { schedule: { frequency: 'hourly' } }, 'schedule.frequency'],
    ['an unknown time zone', { schedule: { frequency: 'daily', timezone: 'Mars/Olympus' } }, 'schedule.timezone'],
    ['an offset for a time zone', { schedule: { frequency: 'daily', timezone: '+02:00' } }, 'schedule.timezone'],
    ['a moment for a time zone', { schedule: { ...DAILY, timezone: '2026-11-21T00:00:00Z' } }, 'schedule.timezone'],
    [
      'a moment with its zone for a time zone',
      { schedule: { frequency: 'cron', cron: '0 7 * * *', timezone: '2026-11-21T00:00:00+01:00[Europe/Berlin]' } },
      'schedule.timezone',
    ],
    ['an abbreviation for a time zone', { schedule: { ...DAILY, timezone: 'PST' } }, 'schedule.timezone'],
    ['a time that is none', { schedule: { frequency: 'daily', time: '24:00' } }, 'schedule.time'],
    ['an interval of none', { schedule: { frequency: 'daily', interval: 0 } }, 'schedule.interval'],
    ['an end before the start', { start_date: '2031-01-02', end_date: '2031-01-01' }, 'end_date'],
    ['an end before the first occurrence', { start_date: '2031-01-03', end_date: '2031-01-05' }, 'end_date'],
    ['an end in the past', { start_date: '2020-01-01', end_date: '2020-12-31' }, 'end_date'],
    ['a start beyond all calendars', { start_date: '9000-01-01' }, 'start_date'],
    ['dates that leave the calendar', { template: { due_date: '9999-12-31' } }, 'template.due_date'],
    ['an unknown user in the template', { template: { assigned_to: 999_999 } }, 'template.assigned_to'],
    ['an unknown contact in the template', { template: { contact_id: 999_999 } }, 'template.contact_id'],
    ['a status of another type', { template: { status: 'planning' } }, 'template.status'],
    ['a priority that is none', { template: { priority: 'whatever' } }, 'template.priority'],
    ['an unknown field in the template', { template: { colour: 'red' } }, 'template.colour'],
    [
      'a plan that ends before it begins',
      { template: { scheduled_start: '2030-01-02', scheduled_end: '2030-01-01' } },
      'template.scheduled_end',
    ],
  ])('refuses %s and names the field', async (_what, input, field) => {
    const answer = await recurring.create(input);
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('answers 400 BAD_REQUEST without a schedule', async () => {
    expectRefusal(await recurring.act('create-recurring-job', { title: 'x' }), 400, 'BAD_REQUEST');
  });

  it("takes another client's user for unknown", async () => {
    expectRefusal(
      await recurring.create({ template: { assigned_to: recurring.api.rival.users.owner.id } }),
      400,
      'VALIDATION_ERROR',
    );
  });
});

describe('the time zone of a schedule', () => {
  it.each([
    ['africa/johannesburg', 'Africa/Johannesburg'],
    ['etc/gmt+12', 'Etc/GMT+12'],
    ['US/Eastern', 'US/Eastern'],
  ])('%s is kept as %s, as the server that fires it spells it', async (timezone, spelled) => {
    const { schedule, recurring_job_id } = await recurring.created({ schedule: { frequency: 'daily', timezone } });
    expect(schedule['timezone']).toBe(spelled);
    const changed = { frequency: 'daily', time: '07:00', timezone: timezone.toUpperCase() };
    const answer = await recurring.act('update-recurring-job', { recurring_job_id, schedule: changed });
    expect(answer.body.data.schedule.timezone).toBe(spelled);
  });
});

describe('update-recurring-job', () => {
  const AS_CREATED = { frequency: 'weekly', days_of_week: ['thursday', 'monday'], time: '08:00', timezone: 'UTC' };

  it('changes what is given, keeps the rest, and audits what changed from what to what', async () => {
    const job = await recurring.created({ end_date: daysAhead(60) });
    const id = job.recurring_job_id;
    const answer = await recurring.act('update-recurring-job', {
      recurring_job_id: id,
      title: 'Inspect both pumps',
      end_date: null,
    });
    expect(answer.body.data).toMatchObject({
      ...job,
      title: 'Inspect both pumps',
      end_date: null,
      updated_at: expect.any(String),
    });
    const changes = {
      title: { from: job.title, to: 'Inspect both pumps' },
      end_date: { from: job.end_date, to: null },
    };
    expect((await recurring.audits(id)).at(-1)).toMatchObject({
      action: 'recurring_job.updated',
      details: { changes },
    });
    expect(await recurring.syncs(id)).toHaveLength(2);
  });

  it('that changes nothing leaves no trace, and what is due stays due', async () => {
    const { recurring_job_id, ...job } = await recurring.created({ template: { notes: 'Bring oil' } });
    expect(job['template']).toEqual({ notes: 'Bring oil' });
    const { title, schedule, template } = job;
    for (const input of [{}, { title, template, schedule: AS_CREATED }]) {
      const answer = await recurring.act('update-recurring-job', { recurring_job_id, ...input });
      expect({ schedule, ...answer.body.data }).toEqual({ recurring_job_id, ...job });
    }
    expect(await recurring.audits(recurring_job_id)).toHaveLength(1);
    expect(await recurring.syncs(recurring_job_id)).toHaveLength(1);
  });

  it('counts a new schedule from now on', async () => {
    const job = await recurring.created();
    const schedule = { frequency: 'cron', cron: '30 7 1 1 *', timezone: 'UTC' };
    const { data } = (await recurring.act('update-recurring-job', { recurring_job_id: job.recurring_job_id, schedule }))
      .body;
    expect(data.schedule).toMatchObject({ frequency: 'cron', cron: '30 7 1 1 *', time: null, days_of_week: null });
    expect(data.next_occurrence_at).toMatch(/-01-01T07:30:00\.000Z$/);
  });

  it('an end that is over completes the job, and a later one makes it active again', async () => {
    const job = await recurring.created({ start_date: '2026-01-01' });
    const change = (end_date: string) =>
      recurring.act('update-recurring-job', { recurring_job_id: job.recurring_job_id, end_date });
    expect((await change('2026-03-31')).body.data).toMatchObject({ status: 'completed', next_occurrence_at: null });
    expect((await recurring.get(job.recurring_job_id)).next_occurrences).toEqual([]);
    expect((await change(daysAhead(90))).body.data).toMatchObject({
      status: 'active',
      next_occurrence_at: job.next_occurrence_at,
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an impossible cron expression', { schedule: { frequency: 'cron', cron: '0 0 31 2 *' } }, 'schedule.cron'],
    ['an end before the start', { start_date: '2030-05-01', end_date: '2030-04-01' }, 'end_date'],
    ['an unknown user in the template', { template: { assigned_users: [999_999] } }, 'template.assigned_users[0]'],
  ])('refuses %s and changes nothing', async (_what, input, field) => {
    const job = await recurring.created();
    const answer = await recurring.act('update-recurring-job', { recurring_job_id: job.recurring_job_id, ...input });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    expect(await recurring.get(job.recurring_job_id)).toMatchObject(job);
  });
});

describe('list-recurring-jobs', () => {
  let mine: ApiTenant;
  let tenantKey: string;
  beforeEach(async () => {
    mine = await recurring.api.tenant(`lister-${randomUUID().slice(0, 8)}`);
    tenantKey = await mine.key();
  });

  it('pages newest first, and filters by state, type and title', async () => {
    const titles = ['Pump', 'Roof', '100% check'];
    const jobs: JobAnswer[] = [];
    for (const title of titles)
      jobs.push((await recurring.create({ title, item_type: 'task' }, tenantKey)).body.data as JobAnswer);
    const list = async (input: Record<string, unknown>) => {
      const { data, meta } = (await recurring.act('list-recurring-jobs', input, tenantKey)).body;
      return { titles: data.recurring_jobs.map(({ title }: { title: string }) => title), total: meta.pagination.total };
    };
    await recurring.act('pause-recurring-job', { recurring_job_id: jobs[0]!.recurring_job_id }, tenantKey);
    expect(await list({ limit: 2, offset: 1 })).toEqual({ titles: ['Roof', 'Pump'], total: 3 });
    expect(await list({ status: 'paused' })).toEqual({ titles: ['Pump'], total: 1 });
    expect(await list({ item_type: 'job' })).toEqual({ titles: [], total: 0 });
    expect(await list({ search: '0% CH' })).toEqual({ titles: ['100% check'], total: 1 });
    expectRefusal(await recurring.act('list-recurring-jobs', { limit: 501 }, tenantKey), 400, 'VALIDATION_ERROR');
  });
});

describe('who may', () => {
  const CHANGES = ['update-recurring-job', 'pause-recurring-job', 'resume-recurring-job', 'delete-recurring-job'];
  const WRITES = [...CHANGES, 'generate-recurring-job'];

  it.each([...WRITES, 'create-recurring-job'])('%s needs recurring:write', async (action) => {
    const reader = await recurring.api.acme.key(['recurring:read', 'work_items:write']);
    expectRefusal(await recurring.act(action, {}, reader), 403, 'SCOPE_REQUIRED');
  });

  it.each(['get-recurring-job', 'list-recurring-jobs'])('%s needs recurring:read', async (action) => {
    const writer = await recurring.api.acme.key(['recurring:write']);
    expectRefusal(await recurring.act(action, {}, writer), 403, 'SCOPE_REQUIRED');
  });

  it.each([...WRITES, 'get-recurring-job'])("%s answers 404, not 403, for another client's job", async (action) => {
    const { recurring_job_id } = await recurring.created();
    const answer = await recurring.act(action, { recurring_job_id }, rivalKey);
    expectRefusal(answer, 404, 'NOT_FOUND');
    expect(JSON.stringify(answer.body)).not.toContain('Inspect the pump');
    expectRefusal(await recurring.act(action, { recurring_job_id: randomUUID() }), 404, 'NOT_FOUND');
    expectRefusal(await recurring.act(action, { recurring_job_id: '17' }), 400, 'VALIDATION_ERROR');
  });
});
