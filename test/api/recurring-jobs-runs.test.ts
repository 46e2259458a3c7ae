import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CreateWorkItem } from '../../domain/contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import { startRecurringApi } from './recurring-jobs-support.ts';
import type { JobAnswer, RecurringApi } from './recurring-jobs-support.ts';
import { expectRefusal } from './support.ts';

const FAILED_RUN = statement(`
  insert into recurring_job_occurrences (client_id, recurring_job_id, scheduled_for, status, error)
  select client_id, id, $2, 'failed', 'there is no active user 7' from recurring_jobs where recurring_job_id = $1`);

const EVERY_HOUR = { frequency: 'cron', cron: '0 * * * *' };
const EVERY_NEW_YEAR = { frequency: 'cron', cron: '30 7 1 1 *' };

let recurring: RecurringApi;
beforeAll(async () => {
  recurring = await startRecurringApi();
});
afterAll(() => recurring.api.close());

describe('pause and resume', () => {
  it('a paused job has nothing before it; resumed, it goes on from now', async () => {
    const job = await recurring.created();
    const id = job.recurring_job_id;
    const paused = (await recurring.act('pause-recurring-job', { recurring_job_id: id, reason: 'Site closed' })).body
      .data;
    expect(paused).toMatchObject({
      status: 'paused',
      next_occurrence_at: null,
      pause_reason: 'Site closed',
      paused_at: expect.any(String),
    });
    const resumed = (await recurring.act('resume-recurring-job', { recurring_job_id: id, reason: 'Open again' })).body
      .data;
    expect(resumed).toMatchObject({ ...job, updated_at: expect.any(String) });
    expect((await recurring.events(id)).map(({ name }) => name)).toEqual([
      'recurring_job.created',
      'recurring_job.paused',
      'recurring_job.resumed',
    ]);
    expect((await recurring.audits(id)).map(({ action, details }) => [action, details])).toEqual([
      ['recurring_job.created', null],
      ['recurring_job.paused', { reason: 'Site closed' }],
      ['recurring_job.resumed', { reason: 'Open again' }],
    ]);
  });

  it('asked twice changes and tells nothing the second time', async () => {
    const { recurring_job_id } = await recurring.created();
    const [first, second] = [
      await recurring.act('pause-recurring-job', { recurring_job_id }),
      await recurring.act('pause-recurring-job', { recurring_job_id, reason: 'again' }),
    ];
    expect(second.body.data).toEqual(first.body.data);
    await recurring.act('resume-recurring-job', { recurring_job_id });
    expect((await recurring.act('resume-recurring-job', { recurring_job_id })).status).toBe(200);
    expect(await recurring.events(recurring_job_id)).toHaveLength(3);
  });

  it('refuses a completed job with 422', async () => {
    const { recurring_job_id } = await recurring.created({ start_date: '2026-01-01' });
    await recurring.act('update-recurring-job', { recurring_job_id, end_date: '2026-03-31' });
    for (const action of ['pause-recurring-job', 'resume-recurring-job']) {
      expectRefusal(await recurring.act(action, { recurring_job_id }), 422, 'UNPROCESSABLE_ENTITY');
    }
  });

  it('refuses to resume a job whose end has passed meanwhile with 422', async () => {
    const { recurring_job_id } = await recurring.created({ start_date: '2026-01-01' });
    await recurring.act('pause-recurring-job', { recurring_job_id });
    await recurring.act('update-recurring-job', { recurring_job_id, end_date: '2026-03-31' });
    expectRefusal(await recurring.act('resume-recurring-job', { recurring_job_id }), 422, 'UNPROCESSABLE_ENTITY');
  });
});

describe('what came due a moment before its job is changed', () => {
  /** A job whose first occurrence is a second ago; nobody has run it yet. */
  const due = async (template: Record<string, unknown> = {}): Promise<JobAnswer> => {
    const job = await recurring.created({ schedule: EVERY_HOUR, template });
    const { clock } = recurring.api;
    clock.advance((Date.parse(job.next_occurrence_at) - clock.now()) / 1_000 + 1);
    return job;
  };

  it.each([
    ['paused', 'pause-recurring-job', {}, null],
    ['given another schedule', 'update-recurring-job', { schedule: EVERY_NEW_YEAR }, /-01-01T05:30:00\.000Z$/],
  ])('is generated, once, although the job is %s', async (_what, action, input, next) => {
    const { recurring_job_id: id, next_occurrence_at: scheduled_for } = await due();
    expect((await recurring.act(action, { recurring_job_id: id, ...input })).status).toBe(200);
    expect(await recurring.get(id)).toMatchObject({
      occurrences_generated: 1,
      last_run: { status: 'generated', scheduled_for },
      next_occurrence_at: next === null ? null : expect.stringMatching(next),
    });
    expect((await recurring.events(id)).map(({ name }) => name).slice(0, 2)).toEqual([
      'recurring_job.created',
      'recurring_job.generated',
    ]);
    const again = await recurring.act('generate-recurring-job', { recurring_job_id: id, scheduled_for });
    expect(again.body.data.already_generated).toBe(true);
  });

  it('keeps no one from pausing the job when its item can no longer be made', async () => {
    const contact_id = await recurring.api.acme.contact();
    const { recurring_job_id, next_occurrence_at: scheduled_for } = await due({ contact_id });
    const leave = statement('update contacts set deleted_at = now() where id = $1');
    await recurring.api.services.system.query(leave, [contact_id]);
    const { status, body } = await recurring.act('pause-recurring-job', { recurring_job_id });
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { status: 'paused' } });
    expect((await recurring.get(recurring_job_id))['last_run']).toMatchObject({ status: 'failed', scheduled_for });
  });

  it('ends the job when it was the last one', async () => {
    const { recurring_job_id: id } = await due();
    await recurring.act('update-recurring-job', { recurring_job_id: id, max_occurrences: 1 });
    const schedule = { ...EVERY_HOUR, cron: '15 * * * *' };
    const { data } = (await recurring.act('update-recurring-job', { recurring_job_id: id, schedule })).body;
    expect(data).toMatchObject({ status: 'completed', occurrences_generated: 1, next_occurrence_at: null });
  });
});

describe('delete-recurring-job', () => {
  it('takes the job away and leaves its items, and says in the audit trail what it was', async () => {
    const { recurring_job_id, title } = await recurring.created();
    const key = await recurring.api.acme.key();
    const { work_item } = (await recurring.act('generate-recurring-job', { recurring_job_id })).body.data;
    const answer = await recurring.act('delete-recurring-job', { recurring_job_id });
    expect(answer.body.data).toEqual({ recurring_job_id, deleted: true });
    for (const action of ['get-recurring-job', 'delete-recurring-job']) {
      expectRefusal(await recurring.act(action, { recurring_job_id }), 404, 'NOT_FOUND');
    }
    const { work_item_id } = work_item;
    expect((await recurring.act('get-work-item', { work_item_id }, key)).status).toBe(200);
    expect((await recurring.audits(recurring_job_id)).at(-1)).toMatchObject({
      action: 'recurring_job.deleted',
      details: { title, occurrences_generated: 1 },
    });
    expect(await recurring.syncs(recurring_job_id)).toHaveLength(2);
  });
});

describe('generate-recurring-job', () => {
  const generate = (recurring_job_id: string, input: Record<string, unknown> = {}) =>
    recurring.act('generate-recurring-job', { recurring_job_id, ...input });

  it('makes the next occurrence’s item from the template, once', async () => {
    const template = { priority: 'high', custom_fields: { a: { b: [1] } }, tags: ['pump'] };
    const job = await recurring.created({ template });
    const { data, success } = (await generate(job.recurring_job_id)).body;
    expect(success).toBe(true);
    expect(data).toMatchObject({
      already_generated: false,
      scheduled_for: job.next_occurrence_at,
      work_item: { title: job.title, item_type: 'job', scheduled_start: job.next_occurrence_at, ...template },
      recurring_job: { occurrences_generated: 1 },
    });
    const again = (await generate(job.recurring_job_id)).body.data;
    expect(again).toMatchObject({ already_generated: true, work_item: { id: data.work_item.id } });
    expect(await recurring.get(job.recurring_job_id)).toMatchObject({
      occurrences_generated: 1,
      last_run: {
        status: 'generated',
        scheduled_for: job.next_occurrence_at,
        work_item_id: data.work_item.work_item_id,
        error: null,
      },
    });
    const [, generated, ...more] = await recurring.events(job.recurring_job_id);
    expect(generated).toEqual({
      name: 'recurring_job.generated',
      data: { recurring_job: data.recurring_job, work_item: data.work_item },
    });
    expect(more).toEqual([]);
  });

  it('takes every field of create-work-item for its items', async () => {
    const { api } = recurring;
    const [owner, contact, key, team] = [
      api.acme.users.owner.id,
      await api.acme.contact(),
      await api.acme.key(),
      randomUUID(),
    ];
    const INSERT_TEAM = statement('insert into teams (team_id, client_id, name) values ($1, $2, $3)');
    await api.services.system.query(INSERT_TEAM, [team, api.acme.clientId, 'Pumps']);
    const above = async (item_type: string): Promise<string> =>
      (await recurring.act('create-work-item', { item_type, title: 'Above' }, key)).body.data.work_item_id;
    const people = { assigned_users: [owner], assigned_contractors: [contact] };
    const structure = { parent_id: await above('job'), project_id: await above('project') };
    const plain = {
      item_type: 'task',
      title: 'Read the meters',
      status: 'scheduled',
      priority: 'urgent',
      description: 'All of them',
      module_context: 'meters',
      contact_id: contact,
      contact_name: 'Kruger Farms',
      contact_email: 'farm@example.com',
      contact_phone: '+27 13 555 0100',
      contact_person_id: 12,
      contact_person: 'Thandi Nkosi',
      location_id: 7,
      location_name: 'North gate',
      location_address: '1 Main Road',
      location_coordinates: { lat: -25.47, lng: 30.97 },
      assigned_to: owner,
      assigned_team: team,
      scheduled_start: '2030-01-03T09:00:00.000Z',
      scheduled_end: '2030-01-03T10:00:00.000Z',
      start_date: '2030-01-03T00:00:00.000Z',
      due_date: '2030-01-04T00:00:00.000Z',
      estimated_hours: 1.5,
      tags: ['meters'],
      custom_fields: { route: { no: 4 } },
      notes: 'Bring a torch',
    };
    const template = { ...plain, ...people, ...structure };
    expect(Object.keys(template).sort()).toEqual(Object.keys(CreateWorkItem.shape).sort());
    const job = await recurring.created({ start_date: '2030-01-03', template });
    const { work_item } = (await generate(job.recurring_job_id)).body.data;
    const read = await recurring.act('get-work-item', { work_item_id: work_item.work_item_id }, key);
    // A day of the template is the day of the occurrence, which is the start date here.
    expect(read.body.data).toMatchObject({ ...plain, ...people, relationships_count: 2 });
  });

  it('what is generated ahead of its time is no longer what comes next', async () => {
    const job = await recurring.created({ max_occurrences: 4 });
    const id = job.recurring_job_id;
    const [first, second, third, fourth] = (await recurring.get(id)).next_occurrences;
    const { data } = (await generate(id)).body;
    expect(data.recurring_job.next_occurrence_at).toBe(second);
    await generate(id, { scheduled_for: third });
    const ahead = await recurring.get(id);
    expect(ahead).toMatchObject({ next_occurrence_at: second, next_occurrences: [second, fourth] });
    const { recurring_jobs } = (await recurring.act('list-recurring-jobs', {})).body.data;
    const listed = (recurring_jobs as JobAnswer[]).find(({ recurring_job_id }) => recurring_job_id === id);
    expect(listed?.next_occurrence_at).toBe(second);
    // Until its time comes, the first one is what is asked for: a repeated call makes no second item.
    expect((await generate(id)).body.data).toMatchObject({ already_generated: true, scheduled_for: first });
  });

  it.each<[string, string, RegExp]>([
    ['a day without an occurrence', '2031-01-07', /2031-01-09T08:00/],
    ['a day before the start', '2029-12-31', /2030-01-03T08:00/],
    ['a day after the end', '2032-01-05', /none after/],
    ['a moment long ago', '1905-01-01T08:00:00Z', /within/],
    ['a moment far ahead', '2099-01-01T08:00:00Z', /within/],
  ])('refuses %s, and says which will do', async (_what, scheduled_for, issue) => {
    const job = await recurring.created({ start_date: '2030-01-01', end_date: '2031-12-31' });
    const answer = await generate(job.recurring_job_id, { scheduled_for });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([
      { field: 'scheduled_for', issue: expect.stringMatching(issue) as unknown as string },
    ]);
    expect(await recurring.get(job.recurring_job_id)).toMatchObject({ occurrences_generated: 0, last_run: null });
  });

  it('many at once make one item', async () => {
    const job = await recurring.created();
    const answers = await Promise.all(Array.from({ length: 8 }, () => generate(job.recurring_job_id)));
    expect(new Set(answers.map(({ body }) => body.data.work_item.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.data.already_generated)).toHaveLength(1);
  });

  it('a date names the occurrence of that day, and the template’s dates move with it', async () => {
    const template = { scheduled_start: '2030-03-25T09:00:00+01:00', due_date: '2030-03-27', title: 'Visit' };
    const schedule = { frequency: 'weekly', days_of_week: ['monday'], time: '09:00', timezone: 'Europe/Berlin' };
    const job = await recurring.created({ schedule, start_date: '2030-03-25', template });
    const { data } = (await generate(job.recurring_job_id, { scheduled_for: '2030-04-08' })).body;
    // Summer time begins in between: nine o'clock stays nine o'clock.
    expect(data).toMatchObject({
      scheduled_for: '2030-04-08T07:00:00.000Z',
      work_item: {
        title: 'Visit',
        scheduled_start: '2030-04-08T07:00:00.000Z',
        due_date: '2030-04-10T00:00:00.000Z',
      },
    });
    const moment = { scheduled_for: '2030-04-08T09:00:00+02:00' };
    expect((await generate(job.recurring_job_id, moment)).body.data.already_generated).toBe(true);
  });

  it('tries an occurrence again that has failed', async () => {
    const job = await recurring.created();
    const scheduled_for = '2026-02-02T08:00:00.000Z';
    await recurring.api.services.system.query(FAILED_RUN, [job.recurring_job_id, scheduled_for]);
    expect((await recurring.get(job.recurring_job_id)).last_run).toMatchObject({
      status: 'failed',
      work_item_id: null,
      error: 'there is no active user 7',
    });
    expect((await generate(job.recurring_job_id, { scheduled_for })).body.data.already_generated).toBe(false);
    expect((await recurring.get(job.recurring_job_id)).last_run).toMatchObject({ status: 'generated', error: null });
  });

  it('works on a paused job; the last of max_occurrences completes it, and no more are made', async () => {
    const job = await recurring.created({ max_occurrences: 2 });
    const id = job.recurring_job_id;
    await recurring.act('pause-recurring-job', { recurring_job_id: id });
    expect((await generate(id, { scheduled_for: '2030-01-07' })).body.data.recurring_job.status).toBe('paused');
    expect((await generate(id, { scheduled_for: '2030-01-10' })).body.data.recurring_job.status).toBe('completed');
    expectRefusal(await generate(id, { scheduled_for: '2030-01-14' }), 422, 'UNPROCESSABLE_ENTITY');
    expectRefusal(await generate(id), 422, 'UNPROCESSABLE_ENTITY');
    expect((await generate(id, { scheduled_for: '2030-01-10' })).body.data.already_generated).toBe(true);
  });

  it('answers 409 when the occurrence’s item has been deleted since', async () => {
    const job = await recurring.created();
    const { work_item } = (await generate(job.recurring_job_id)).body.data;
    const remove = statement('update work_items set deleted_at = now() where id = $1');
    await recurring.api.services.system.query(remove, [work_item.id]);
    expectRefusal(await generate(job.recurring_job_id), 409, 'CONFLICT');
  });
});
