import { isGrpcServiceError, ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import type { ScheduleOptions, ScheduleSpec } from '@temporalio/client';
import type { TemporalGateway } from './temporal.ts';

/** A schedule with calendar times of its own: each record of the product that recurs has one. */
export interface CalendarSchedule {
  id: string;
  workflowType: string;
  taskQueue: string;
  input: object;
  spec: ScheduleSpec;
  isPaused: boolean;
  /** For the operator who reads it in the Temporal UI. */
  note: string;
  memo: Record<string, unknown>;
  searchAttributes: Readonly<Record<string, string>>;
  /** How long after its time a start is made up for, when the server was away. */
  catchupWindowMs: number;
}

/** The server will not have the schedule, however often it is asked. */
export class InvalidScheduleError extends Error {}

/** gRPC's INVALID_ARGUMENT. */
const REFUSED_CODES: ReadonlySet<number> = new Set([3]);
const DEADLINE_MS = 5_000;
const LIST_DEADLINE_MS = 60_000;
const PAGE_SIZE = 1_000;

/** The schedules of records, each named by the record; whatever is asked of them may be asked again. */
export class TemporalSchedules {
  readonly #gateway: TemporalGateway;

  constructor(gateway: TemporalGateway) {
    this.#gateway = gateway;
  }

  /**
   * Makes a schedule what it should be, whether or not it exists. Starts may overlap. Throws {@link InvalidScheduleError}
   * for what can't be one.
   */
  async put(schedule: CalendarSchedule): Promise<void> {
    try {
      await this.#put(schedule);
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      throw new InvalidScheduleError(reason, { cause: error });
    }
  }

  async #put(schedule: CalendarSchedule): Promise<void> {
    const client = await this.#gateway.client();
    const options = await this.#optionsOf(schedule);
    await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
      try {
        await client.schedule.create(options);
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        const { spec, action, policies = {}, state = {} } = options;
        await client.schedule.getHandle(options.scheduleId).update(() => ({ spec, action, policies, state }));
      }
    });
  }

  /** Removes a schedule, if it is there. */
  async remove(id: string): Promise<void> {
    const client = await this.#gateway.client();
    await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
      try {
        await client.schedule.getHandle(this.#gateway.queueName(id)).delete();
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      }
    });
  }

  /** The schedules whose id begins with `prefix`: what follows it, and whether each is paused. May lag some seconds. */
  async list(prefix: string): Promise<Map<string, boolean>> {
    const client = await this.#gateway.client();
    const start = this.#gateway.queueName(prefix);
    const found = new Map<string, boolean>();
    await client.withDeadline(Date.now() + LIST_DEADLINE_MS, async () => {
      for await (const { scheduleId, state } of client.schedule.list({ pageSize: PAGE_SIZE })) {
        if (scheduleId.startsWith(start)) found.set(scheduleId.slice(start.length), state.paused);
      }
    });
    return found;
  }

  async #optionsOf(schedule: CalendarSchedule): Promise<ScheduleOptions> {
    const scheduleId = this.#gateway.queueName(schedule.id);
    const typedSearchAttributes = await this.#gateway.typedAttributes(schedule.searchAttributes);
    const found = typedSearchAttributes === undefined ? {} : { typedSearchAttributes };
    return {
      scheduleId,
      spec: schedule.spec,
      action: {
        type: 'startWorkflow',
        workflowType: schedule.workflowType,
        // The server adds the time, so that each start has an id of its own.
        workflowId: scheduleId,
        taskQueue: this.#gateway.queueName(schedule.taskQueue),
        args: [schedule.input],
        memo: schedule.memo,
        ...found,
      },
      policies: { overlap: 'ALLOW_ALL', catchupWindow: schedule.catchupWindowMs },
      state: { paused: schedule.isPaused, note: schedule.note },
      memo: schedule.memo,
      ...found,
    };
  }
}

function refusalOf(error: unknown): string | undefined {
  // What the client makes of a specification that the server calls invalid.
  if (error instanceof TypeError) return error.message;
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) && REFUSED_CODES.has(cause.code) ? cause.details : undefined;
}
