import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { startRecurringApi } from './recurring-jobs-support.ts';
import type { JobAnswer, RecurringApi } from './recurring-jobs-support.ts';
import { expectRefusal } from './support.ts';

const FAILED_RUN = statement(`
  insert into recurring_job_occurrences (client_id, recurring_job_id, scheduled_for, status, error)
  select client_id, id, $2, 'failed', 'there is no active user 7' from recurring_jobs where recurring_job_id = $1`);

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
