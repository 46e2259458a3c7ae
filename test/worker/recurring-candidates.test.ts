import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import type { RecurringJob } from '../../domain/contracts/recurring.ts';
import { nextOccurrences, occurrencesAfter } from '../../domain/recurring/occurrences.rules.ts';
import { spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { HOUR_MS, RecurringFixture } from './recurring-support.ts';

const DAY_MS = 24 * HOUR_MS;

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

/** The moments at which the server itself says that it will fire. */
async function firingTimes(id: string, from: number, to: number): Promise<Set<number>> {
  const timestamp = (moment: number) => ({ seconds: Math.floor(moment / 1_000) as never, nanos: 0 });
  const { startTime } = await fixture.client.workflowService.listScheduleMatchingTimes({
    namespace: 'default',
    scheduleId: `${fixture.prefix}recurring/${id}`,
    startTime: timestamp(from),
    endTime: timestamp(to),
  });
  return new Set(startTime.map(({ seconds }) => Number(seconds) * 1_000));
}

/** Now, and every change of the clocks within a year. */
function interestingMoments(timezone: string): number[] {
  const moments = [Date.now() + 3 * DAY_MS];
  let at = Temporal.Now.zonedDateTimeISO(timezone);
  for (;;) {
    const change = at.getTimeZoneTransition('next');
    if (change === null || change.epochMilliseconds > Date.now() + 365 * DAY_MS) return moments;
    moments.push(change.epochMilliseconds);
    at = change;
  }
}

async function unfired(job: RecurringJob): Promise<string[]> {
  const missing: string[] = [];
  let seen = 0;
  for (const moment of interestingMoments(job.schedule.timezone)) {
    const [from, to] = [Math.max(Date.now(), moment - 3 * DAY_MS), moment + 3 * DAY_MS];
    const firing = await firingTimes(job.recurring_job_id, from, to);
    for (const occurrence of occurrencesAfter(job, from)) {
      if (occurrence > to) break;
      seen += 1;
      if (!firing.has(occurrence)) missing.push(new Date(occurrence).toISOString());
    }
  }
  expect(seen).toBeGreaterThan(0);
  return missing;
}

describe('the schedule of the server fires at every occurrence', () => {
  const daily = (time: string, timezone: string) => ({ frequency: 'daily', time, timezone });
  const cron = (expression: string, timezone: string) => ({ frequency: 'cron', cron: expression, timezone });

  it.each([
    daily('02:30', 'Europe/Berlin'),
    daily('01:30', 'America/New_York'),
    daily('02:15', 'Australia/Lord_Howe'),
    daily('00:00', 'Africa/Cairo'),
    daily('00:30', 'America/Santiago'),
    daily('02:59', 'Pacific/Chatham'),
    { ...daily('08:00', 'Asia/Kathmandu'), interval: 2 },
    { ...daily('02:30', 'America/St_Johns'), frequency: 'weekly', interval: 2, days_of_week: ['sunday', 'tuesday'] },
    { ...daily('06:00', 'Europe/London'), frequency: 'weekly', days_of_week: ['saturday', 'monday'] },
    cron('30 2 * * *', 'Europe/Berlin'),
    cron('*/30 * * * *', 'Europe/Berlin'),
    cron('15 1,2,3 * * sun', 'America/New_York'),
    cron('0 9 1-31/3 * mon-fri', 'Europe/London'),
    cron('0 6 13 * 5-7', 'UTC'),
    cron('0 0-23/2 * JAN-DEC 0,3', 'Africa/Cairo'),
  ])('%j', async (schedule) => {
    const job = await fixture.job({ schedule });
    await fixture.made(job.recurring_job_id);
    expect(await unfired(job)).toEqual([]);
  });

  // Which zones those are changes with the tables of Node and of the server: of these days any zone must be told so.
  it.each(['Africa/Casablanca', 'America/Vancouver', 'Europe/Chisinau'])(
    'in the next days also where it knows other rules of a time zone than we do: %s',
    async (timezone) => {
      const job = await fixture.job({ schedule: daily('02:00', timezone) });
      await fixture.made(job.recurring_job_id);
      const firing = await firingTimes(job.recurring_job_id, Date.now(), Date.now() + 2 * DAY_MS);
      const expected = nextOccurrences(job, Date.now(), 2);
      expect(expected.filter((occurrence) => !firing.has(occurrence))).toEqual([]);
    },
  );

  it.each([
    { day_of_month: 31, interval: 1 },
    { day_of_month: 29, interval: 3 },
    { day_of_month: 5, interval: 5 },
    { day_of_month: 30, interval: 12 },
  ])('monthly %j', async (pattern) => {
    const schedule = { frequency: 'monthly', time: '10:00', timezone: 'Africa/Johannesburg', ...pattern };
    const job = await fixture.job({ schedule, start_date: '2026-02-01' });
    await fixture.made(job.recurring_job_id);
    const [from, to] = [Date.now(), Date.now() + 800 * DAY_MS];
    const firing = await firingTimes(job.recurring_job_id, from, to);
    const missing: string[] = [];
    for (const occurrence of occurrencesAfter(job, from)) {
      if (occurrence > to) break;
      if (!firing.has(occurrence)) missing.push(new Date(occurrence).toISOString());
    }
    expect(missing).toEqual([]);
  });
});
