import { setTimeout as sleep } from 'node:timers/promises';
import { entities } from '../../../domain/entities.ts';
import { createPostgresLeaseStore, createRateLimiter } from '../../../domain/limits/index.ts';
import type { Admission, RateLimiter, RatePolicy } from '../../../domain/limits/index.ts';
import { SystemDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';

/** Only a store that refuses counts as away, however slow the machine is, where a test doesn't say otherwise. */
const STORE_TIMEOUT_MS = 30_000;

/** A limiter with database connections of its own, as each API process has one. */
export interface LimiterProcess {
  limiter: RateLimiter;
  logLines: string[];
  close(): Promise<void>;
}

export function limiterProcess(
  url: string,
  options: Omit<Parameters<typeof createRateLimiter>[0], 'store' | 'log'> = {},
): LimiterProcess {
  const logLines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void logLines.push(line) });
  const system = new SystemDatabase({ url, poolSize: 4, applicationName: 'limiter', entities, log });
  const limiter = createRateLimiter({
    store: createPostgresLeaseStore(system),
    log,
    storeTimeoutMs: STORE_TIMEOUT_MS,
    ...options,
  });
  return {
    limiter,
    logLines,
    close: async () => {
      await limiter.close();
      await system.close();
    },
  };
}

/** `count` requests, one after the other. */
export async function inTurn(
  { limiter }: LimiterProcess,
  count: number,
  subject: string,
  policy: RatePolicy,
): Promise<Admission[]> {
  const admissions: Admission[] = [];
  for (let index = 0; index < count; index += 1) admissions.push(await limiter.admit(subject, policy));
  return admissions;
}

/** `count` requests at the same moment. */
export function atOnce(
  { limiter }: LimiterProcess,
  count: number,
  subject: string,
  policy: RatePolicy,
): Promise<Admission[]> {
  return Promise.all(Array.from({ length: count }, async () => limiter.admit(subject, policy)));
}

export function tally(admissions: readonly Admission[]): { admitted: number; limited: number; burst: number } {
  const counted = { admitted: 0, limited: 0, burst: 0 };
  for (const { verdict } of admissions) counted[verdict] += 1;
  return counted;
}

export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not come true within ${String(timeoutMs)} ms`);
    await sleep(20);
  }
}
