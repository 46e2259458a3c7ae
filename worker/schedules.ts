import type { Logger } from '../platform/log.ts';
import type { ScheduleRequest, TemporalGateway } from '../platform/temporal.ts';

const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** How soon a Temporal that has lost its schedules, or an operator's slip, is noticed. */
const RECHECK_MS = 60_000;

/**
 * Sees to it that the schedules exist, as soon as Temporal can be reached and for as long as the process lives; every
 * worker does so, and one is enough.
 */
export function keepSchedules(
  temporal: TemporalGateway,
  log: Logger,
  schedules: readonly ScheduleRequest[],
  recheckMs = RECHECK_MS,
): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isMade = false;
  const ensure = async (waitMs: number): Promise<void> => {
    try {
      for (const schedule of schedules) await temporal.ensureSchedule(schedule, { ifMissing: isMade });
      isMade = true;
      if (!isStopped) timer = setTimeout(() => void ensure(MIN_WAIT_MS), recheckMs);
    } catch (error) {
      if (isStopped) return;
      log.warn({ err: (error as Error).message }, 'the schedules could not be made yet');
      timer = setTimeout(() => void ensure(Math.min(MAX_WAIT_MS, waitMs * 2)), waitMs);
    }
  };
  return {
    start: () => void ensure(MIN_WAIT_MS),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
