import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScheduleNotFoundError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  deleteRecurringJob,
  pauseRecurringJob,
  resumeRecurringJob,
  updateRecurringJob,
} from '../../domain/recurring/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { HOUR_MS, RecurringFixture } from './recurring-support.ts';

const CLIENT_ID = defineSearchAttributeKey('ClientId', SearchAttributeType.KEYWORD);
const DEACTIVATE = statement(`update users set is_active = false where id = $1`);
const ADD_USER = statement(`
  insert into users (client_id, email, name, password_hash, role) values ($1, 'temp@acme.example', 'T', 'x', 'member')
  returning id`);
const GENERATED_EVENTS = statement(`select data from events where client_id = $1 and name = 'recurring_job.generated'`);
const MISSED = statement(`
  select details from audit_entries where subject_id = $1 and action = 'recurring_job.occurrences_missed'`);

let fixture: RecurringFixture;
let worker: SpawnedProcess;

beforeAll(async () => {
  fixture = await RecurringFixture.create();
  worker = await spawnProcess('worker/main.ts', fixture.environment, { args: ['--queue', 'platform'] });
});

afterAll(async () => {
  await worker.stop();
  await fixture.close();
});

const change = <Input, Result>(
  work: (tx: never, caller: never, input: Input, now: number) => Promise<Result>,
  input: Input,
): Promise<Result> => {
  const { tenants, clientId, caller } = fixture.tenant;
  return tenants.transaction(clientId, (tx) => work(tx as never, caller as never, input, Date.now()));
};

describe('the schedule of a recurring job', () => {
  it('is made in the job’s time zone, may overlap, and makes up for a day', async () => {
    const schedule = { frequency: 'monthly', day_of_month: 31, time: '08:15', timezone: 'Europe/Berlin' };
    const { recurring_job_id } = await fixture.job({ schedule, end_date: '2030-01-31' });
    const { spec, policies, state, memo, typedSearchAttributes } = await fixture.made(recurring_job_id);
    expect(spec.timezone).toBe('Europe/Berlin');
    expect(spec.calendars).toMatchObject([
      { hour: [{ start: 8 }], minute: [{ start: 15 }], dayOfMonth: [28, 29, 30, 31].map((start) => ({ start })) },
    ]);
    expect(policies).toMatchObject({ overlap: 'ALLOW_ALL', catchupWindow: 24 * HOUR_MS });
    expect(state.paused).toBe(false);
    // What an operator reads and searches by in the Temporal UI.
    const { clientId } = fixture.tenant;
    expect(memo).toEqual({ client_id: clientId, title: 'Inspect' });
    expect(state.note).toMatch(/^Inspect \(revision 1 /);
    expect(typedSearchAttributes.get(CLIENT_ID)).toBe(String(clientId));
  });

  it('fires by itself, and the item is there within moments of its time', async () => {
    const schedule = { frequency: 'cron', cron: '* * * * *', timezone: 'UTC' };
    const { recurring_job_id, next_occurrence_at } = await fixture.job({ schedule, max_occurrences: 1 });
    const due = Date.parse(next_occurrence_at!);
    await within(75_000, async () => {
      expect(await fixture.runs(recurring_job_id)).toHaveLength(1);
    });
    expect(Date.now() - due).toBeLessThan(15_000);
    expect((await fixture.runs(recurring_job_id))[0]).toMatchObject({
      scheduled_for: new Date(due),
      status: 'generated',
      title: 'Inspect',
      created_by_type: 'system',
      created_by_id: `recurring-job/${recurring_job_id}`,
    });
    // It was the last one: the job is completed, and its schedule goes.
    expect(await fixture.read(recurring_job_id)).toMatchObject({ status: 'completed', occurrences_generated: 1 });
    await within(20_000, () =>
      expect(fixture.schedule(recurring_job_id).describe()).rejects.toThrow(ScheduleNotFoundError),
    );
  }, 120_000);

  it('generates what came due meanwhile, each once, however often it fires', async () => {
    const { recurring_job_id, next_occurrence_at } = await fixture.job({ title: 'Twice fired' }, 3 * HOUR_MS);
    await fixture.made(recurring_job_id);
    const handle = fixture.schedule(recurring_job_id);
    await Promise.all([handle.trigger(), handle.trigger(), handle.trigger()]);
    await handle.backfill({ start: new Date(Date.now() - 3 * HOUR_MS), end: new Date(), overlap: 'ALLOW_ALL' });
    await within(20_000, async () => expect(await fixture.runs(recurring_job_id)).toHaveLength(3));
    // Which of the runs came first with an occurrence is theirs to settle, and the reconciler may come between them too.
    const fired = await Promise.all(
      (await fixture.firedBy(handle)).map(async (run) => ({ run, ...((await run.result()) as { generated: number }) })),
    );
    expect(fired.reduce((sum, { generated }) => sum + generated, 0)).toBeLessThanOrEqual(3);
    const [most] = fired.sort((one, other) => other.generated - one.generated);
    await recordHistory('generate-recurring-job.caught-up', await most!.run.fetchHistory());
    const first = Date.parse(next_occurrence_at!);
    const runs = await fixture.runs(recurring_job_id);
    expect(runs.map(({ scheduled_for }) => scheduled_for.getTime())).toEqual(
      [0, 1, 2].map((hour) => first + hour * HOUR_MS),
    );
    const events = await fixture.tenant.system.query<{ data: { recurring_job: { recurring_job_id: string } } }>(
      GENERATED_EVENTS,
      [fixture.tenant.clientId],
    );
    expect(events.filter(({ data }) => data.recurring_job.recurring_job_id === recurring_job_id)).toHaveLength(3);
  });

  it('lets go what is due for more than a day, and says so', async () => {
    const { recurring_job_id } = await fixture.job({}, 30 * HOUR_MS);
    await fixture.made(recurring_job_id);
    await (await fixture.fire(fixture.schedule(recurring_job_id))).result();
    expect(await fixture.runs(recurring_job_id)).toHaveLength(24);
    expect(await fixture.tenant.system.query(MISSED, [recurring_job_id])).toHaveLength(1);
  });

  it('a paused job generates nothing, be its schedule fired all the same; resumed, it goes on from then', async () => {
    const { recurring_job_id } = await fixture.job({}, 3 * HOUR_MS);
    await fixture.made(recurring_job_id);
    await change(pauseRecurringJob, { recurring_job_id });
    await within(20_000, async () =>
      expect((await fixture.schedule(recurring_job_id).describe()).state.paused).toBe(true),
    );
    expect(await (await fixture.fire(fixture.schedule(recurring_job_id))).result()).toEqual({
      generated: 0,
      failed: 0,
    });
    await change(resumeRecurringJob, { recurring_job_id });
    await within(20_000, async () =>
      expect((await fixture.schedule(recurring_job_id).describe()).state.paused).toBe(false),
    );
    expect(await (await fixture.fire(fixture.schedule(recurring_job_id))).result()).toEqual({
      generated: 0,
      failed: 0,
    });
  });

  it('follows an update', async () => {
    const { recurring_job_id } = await fixture.job();
    await fixture.made(recurring_job_id);
    const schedule = { frequency: 'weekly' as const, days_of_week: ['sunday' as const], time: '23:45' };
    await change(updateRecurringJob, { recurring_job_id, schedule });
    await within(20_000, async () => {
      const { spec } = await fixture.schedule(recurring_job_id).describe();
      expect(spec.calendars).toMatchObject([{ dayOfWeek: [{ start: 'SUNDAY' }], hour: [{ start: 23 }] }]);
    });
    const sync = fixture.client.workflow.getHandle(`recurring-sync/${recurring_job_id}/2`);
    await sync.result();
    await recordHistory('sync-recurring-schedule.updated', await sync.fetchHistory());
  });

  it('goes with its job', async () => {
    const { recurring_job_id } = await fixture.job();
    await fixture.made(recurring_job_id);
    await change(deleteRecurringJob, recurring_job_id);
    await within(20_000, () =>
      expect(fixture.schedule(recurring_job_id).describe()).rejects.toThrow(ScheduleNotFoundError),
    );
  });

  it('a template whose user has left fails that run, is told of, and stops nothing', async () => {
    const { system, clientId } = fixture.tenant;
    const [user] = await system.query<{ id: number }>(ADD_USER, [clientId]);
    const { recurring_job_id } = await fixture.job({ template: { assigned_to: user!.id } }, 2 * HOUR_MS);
    await system.query(DEACTIVATE, [user!.id]);
    await fixture.made(recurring_job_id);
    const run = await fixture.fire(fixture.schedule(recurring_job_id));
    expect(await run.result()).toEqual({ generated: 0, failed: 2 });
    await recordHistory('generate-recurring-job.failed', await run.fetchHistory());
    const { last_run, status, occurrences_generated } = await fixture.read(recurring_job_id);
    expect({ status, occurrences_generated }).toEqual({ status: 'active', occurrences_generated: 0 });
    expect(last_run).toMatchObject({ status: 'failed', error: expect.stringContaining('assigned_to') });
  });
});
