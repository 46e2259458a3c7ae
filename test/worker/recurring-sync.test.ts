import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateRecurringJob } from '../../domain/contracts/recurring.ts';
import {
  createRecurringJob,
  pauseRecurringJob,
  syncSchedule,
  updateRecurringJob,
} from '../../domain/recurring/index.ts';
import type { ScheduleKeeper } from '../../domain/recurring/index.ts';
import { TASK_QUEUE, WORKFLOW } from '../../domain/contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import { spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { HOUR_MS, RecurringFixture } from './recurring-support.ts';

const CHANGES = 200;

const UNSYNCED = statement(`select count(*) as left from recurring_jobs where schedule_synced_revision <> revision`);
const SYNCED = statement(`select schedule_synced_revision as revision from recurring_jobs where recurring_job_id = $1`);
const BACKENDS = statement(`
  select count(*) as busy from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`);
// JavaScript knows it still, the server's tables of time zones don't.
const OUTDATED_ZONE = statement(`
  update recurring_jobs set schedule = schedule || '{"timezone": "SystemV/PST8"}' where recurring_job_id = $1`);
const REFUSALS = statement(`
  select actor_type, details from audit_entries where subject_id = $1 and action = 'recurring_job.schedule_refused'`);

let fixture: RecurringFixture;
let worker: SpawnedProcess | undefined;

beforeAll(async () => {
  fixture = await RecurringFixture.create();
});

afterAll(async () => {
  await worker?.stop();
  await fixture.close();
});

const pause = (recurring_job_id: string): Promise<unknown> => {
  const { tenants, clientId, caller } = fixture.tenant;
  return tenants.transaction(clientId, (tx) => pauseRecurringJob(tx, caller, { recurring_job_id }, Date.now()));
};

describe('syncSchedule', () => {
  it('holds no transaction while it asks Temporal, and puts right what a change overtook', async () => {
    const { recurring_job_id } = await fixture.job();
    const { system, tenants, clientId } = fixture.tenant;
    const puts: { revision: number; isPaused: boolean }[] = [];
    const keeper: ScheduleKeeper = {
      put: async ({ revision, isPaused }) => {
        if (puts.length === 0) {
          expect(await system.query(BACKENDS)).toEqual([{ busy: 0 }]);
          await pause(recurring_job_id);
          // The later change is synced first; this put comes after it, with what was there before.
          await syncSchedule({ system, tenants, keeper: other }, input, Date.now());
        }
        puts.push({ revision, isPaused });
      },
      remove: () => Promise.resolve(),
      list: () => Promise.resolve(new Map()),
    };
    const other: ScheduleKeeper = {
      ...keeper,
      put: ({ revision, isPaused }) => {
        puts.push({ revision, isPaused });
        return Promise.resolve();
      },
    };
    const input = { client_id: clientId, recurring_job_id };
    await syncSchedule({ system, tenants, keeper }, input, Date.now());
    expect(puts).toEqual([
      { revision: 2, isPaused: true },
      { revision: 1, isPaused: false },
      { revision: 2, isPaused: true },
    ]);
    expect(await system.query(SYNCED, [recurring_job_id])).toEqual([{ revision: 2 }]);
  });

  it('a schedule that Temporal refuses is told of once, and tried no more until it changes', async () => {
    worker = await spawnProcess('worker/main.ts', fixture.environment, { args: ['--queue', 'platform'] });
    const { recurring_job_id } = await fixture.job();
    await fixture.made(recurring_job_id);
    const { tenants, system, clientId, caller } = fixture.tenant;
    const update = (input: object): Promise<unknown> =>
      tenants.transaction(clientId, (tx) => updateRecurringJob(tx, caller, { recurring_job_id, ...input }, Date.now()));
    await system.query(OUTDATED_ZONE, [recurring_job_id]);
    for (const title of ['One', 'Two']) {
      await update({ title });
      await within(20_000, async () => {
        expect((await system.query<{ revision: number }>(SYNCED, [recurring_job_id]))[0]?.revision).toBe(
          title === 'One' ? 2 : 3,
        );
      });
    }
    expect((await fixture.read(recurring_job_id)).schedule_error).toMatch(/time ?zone/i);
    expect(await system.query(REFUSALS, [recurring_job_id])).toEqual([
      { actor_type: 'system', details: { error: expect.stringMatching(/time ?zone/i) } },
    ]);
    await fixture.schedule(recurring_job_id).delete();
    expect((await fixture.reconcile()).did['synced']).toBe(0);
    await update({ schedule: { frequency: 'daily', timezone: 'UTC' } });
    await fixture.made(recurring_job_id);
    await within(20_000, async () => expect((await fixture.read(recurring_job_id)).schedule_error).toBeNull());
  }, 90_000);

  it(`of ${String(CHANGES)} changes at once none fails, and other work goes on beside them`, async () => {
    const due = await fixture.job({}, 2 * HOUR_MS);
    await fixture.made(due.recurring_job_id);
    const { tenants, system, clientId, caller } = fixture.tenant;
    const schedule = { frequency: 'daily', timezone: 'Europe/Berlin' };
    const ids = await tenants.transaction(clientId, async (tx) => {
      const made: string[] = [];
      for (let index = 0; index < CHANGES; index += 1) {
        const job = CreateRecurringJob.parse({ title: `Job ${String(index)}`, schedule });
        made.push((await createRecurringJob(tx, caller, job, Date.now())).recurring_job_id);
      }
      return made;
    });
    const result = await fixture.client.workflow.execute(WORKFLOW.generateRecurringJob, {
      workflowId: `${fixture.prefix}beside`,
      taskQueue: `${fixture.prefix}${TASK_QUEUE.platform}`,
      args: [{ client_id: clientId, recurring_job_id: due.recurring_job_id }],
    });
    expect(result).toEqual({ generated: 2, failed: 0 });
    expect(await system.query(UNSYNCED)).not.toEqual([{ left: 0 }]);
    await within(150_000, async () => expect(await system.query(UNSYNCED)).toEqual([{ left: 0 }]));
    const attempts = await Promise.all(ids.map((id) => attemptsOf(`recurring-sync/${id}/1`)));
    expect(attempts.filter((attempt) => attempt !== 1)).toEqual([]);
  }, 240_000);
});

/** How often the activity of a sync was begun. */
async function attemptsOf(workflowId: string): Promise<number | null | undefined> {
  const { events } = await fixture.client.workflow.getHandle(workflowId).fetchHistory();
  return events?.find((event) => event.activityTaskStartedEventAttributes)?.activityTaskStartedEventAttributes?.attempt;
}
