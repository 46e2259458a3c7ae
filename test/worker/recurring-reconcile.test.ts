import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScheduleNotFoundError } from '@temporalio/client';
import { statement } from '../../platform/db/statement.ts';
import { spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { HOUR_MS, RecurringFixture } from './recurring-support.ts';

const LOSE_START = statement(`delete from workflow_starts where workflow_id like $1 returning id`);
const MAKE_OLD = statement(`
  update recurring_jobs set updated_at = now() - interval '1 minute' where recurring_job_id = $1`);
const COMPLETE_SILENTLY = statement(`
  update recurring_jobs set status = 'completed', next_occurrence_at = null where recurring_job_id = $1`);
const LOSE_ROW = statement(`delete from recurring_jobs where recurring_job_id = $1`);
const ITEMS = statement(`
  select count(*)::int as items from work_items where client_id = $1 and created_by_id = 'recurring-job/' || $2`);
const LOSE_TIMEZONE = statement(`
  update recurring_jobs set schedule = schedule || '{"timezone": "Nowhere/Land"}' where recurring_job_id = $1`);
const SYNCED = statement(`
  select revision = schedule_synced_revision as is_synced from recurring_jobs where recurring_job_id = $1`);

const FIVE_MINUTES_MS = 300_000;

let fixture: RecurringFixture;
let worker: SpawnedProcess | undefined;

const startWorker = async (): Promise<void> => {
  worker = await spawnProcess('worker/main.ts', fixture.environment, { args: ['--queue', 'platform'] });
};

beforeAll(async () => {
  fixture = await RecurringFixture.create();
});

afterAll(async () => {
  await worker?.stop();
  await fixture.close();
});

describe('the reconciler', () => {
  it('makes the schedule of a row whose wish was lost with a crash', async () => {
    // Before there is a worker: nothing has taken the wish from the outbox yet.
    const { recurring_job_id } = await fixture.job();
    expect(await fixture.tenant.system.query(LOSE_START, [`recurring-sync/${recurring_job_id}/%`])).toHaveLength(1);
    await fixture.tenant.system.query(MAKE_OLD, [recurring_job_id]);
    await startWorker();
    await expect(fixture.schedule(recurring_job_id).describe()).rejects.toThrow(ScheduleNotFoundError);
    const { did, handle } = await fixture.reconcile();
    await recordHistory('reconcile-recurring-jobs.healed', await handle.fetchHistory());
    expect(did).toMatchObject({ synced: 1, sync_failed: 0 });
    expect((await fixture.made(recurring_job_id)).state.paused).toBe(false);
    expect(await fixture.tenant.system.query(SYNCED, [recurring_job_id])).toEqual([{ is_synced: true }]);
  });

  it('makes a schedule again that was deleted by hand, and wakes one that was paused', async () => {
    const [deleted, paused] = [await fixture.job(), await fixture.job()];
    await Promise.all([fixture.made(deleted.recurring_job_id), fixture.made(paused.recurring_job_id)]);
    await fixture.schedule(deleted.recurring_job_id).delete();
    await fixture.schedule(paused.recurring_job_id).pause('by hand');
    await within(30_000, async () => {
      await fixture.reconcile();
      await fixture.schedule(deleted.recurring_job_id).describe();
      expect((await fixture.schedule(paused.recurring_job_id).describe()).state.paused).toBe(false);
    });
  }, 60_000);

  it('removes the schedule of a job that is over', async () => {
    const { recurring_job_id } = await fixture.job();
    await fixture.made(recurring_job_id);
    await fixture.tenant.system.query(COMPLETE_SILENTLY, [recurring_job_id]);
    await within(30_000, async () => {
      await fixture.reconcile();
      await expect(fixture.schedule(recurring_job_id).describe()).rejects.toThrow(ScheduleNotFoundError);
    });
  }, 60_000);

  it('removes a schedule without a job', async () => {
    const { recurring_job_id } = await fixture.job();
    await fixture.made(recurring_job_id);
    await fixture.tenant.system.query(LOSE_ROW, [recurring_job_id]);
    await within(30_000, async () => {
      await fixture.reconcile();
      await expect(fixture.schedule(recurring_job_id).describe()).rejects.toThrow(ScheduleNotFoundError);
    });
  }, 60_000);

  it('generates what is overdue because nothing fired', async () => {
    const { recurring_job_id } = await fixture.job({}, 3 * HOUR_MS);
    await fixture.made(recurring_job_id);
    await fixture.schedule(recurring_job_id).delete();
    await within(30_000, async () => {
      await fixture.reconcile();
      expect(await fixture.runs(recurring_job_id)).toHaveLength(3);
    });
  }, 60_000);

  it('generates what is overdue beside a job that can not be run at all', async () => {
    const [broken, sound] = [await fixture.job({}, 4 * HOUR_MS), await fixture.job({}, 3 * HOUR_MS)];
    for (const { recurring_job_id } of [broken, sound]) {
      await fixture.made(recurring_job_id);
      await fixture.schedule(recurring_job_id).delete();
    }
    await fixture.tenant.system.query(LOSE_TIMEZONE, [broken.recurring_job_id]);
    await within(30_000, async () => {
      expect((await fixture.reconcile()).did['generation_failed']).toBe(1);
      expect(await fixture.runs(sound.recurring_job_id)).toHaveLength(3);
    });
    await fixture.tenant.system.query(COMPLETE_SILENTLY, [broken.recurring_job_id]);
  }, 60_000);

  it('and the schedule make one item of each occurrence, though the worker is killed amid them', async () => {
    const schedule = { frequency: 'cron', cron: '*/5 * * * *', timezone: 'UTC' };
    const { recurring_job_id, next_occurrence_at } = await fixture.job({ schedule }, 20 * HOUR_MS);
    await fixture.made(recurring_job_id);
    const handle = fixture.schedule(recurring_job_id);
    await handle.trigger();
    await within(30_000, async () => expect((await fixture.runs(recurring_job_id)).length).toBeGreaterThan(5));
    await worker?.kill9();
    await startWorker();
    await handle.trigger();
    await fixture.reconcile();
    const first = Date.parse(next_occurrence_at ?? '');
    await within(60_000, async () => {
      const times = (await fixture.runs(recurring_job_id)).map(({ scheduled_for }) => scheduled_for.getTime());
      expect(times).toEqual(times.map((_, index) => first + index * FIVE_MINUTES_MS));
      expect(Date.now() - (times.at(-1) ?? 0)).toBeLessThan(FIVE_MINUTES_MS);
      const [{ items } = {}] = await fixture.tenant.system.query(ITEMS, [fixture.tenant.clientId, recurring_job_id]);
      expect(items).toBe(times.length);
    });
  }, 120_000);

  it('leaves alone what is as it should be', async () => {
    await within(30_000, async () => {
      expect((await fixture.reconcile()).did).toEqual({
        generated: 0,
        generation_failed: 0,
        synced: 0,
        removed: 0,
        sync_failed: 0,
      });
    });
  }, 60_000);
});
