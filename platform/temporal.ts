import {
  Client,
  Connection,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { ScheduleDescription, ScheduleUpdateOptions } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';

export interface WorkflowStartRequest {
  workflowType: string;
  workflowId: string;
  taskQueue: string;
  input: object;
  /** Shown beside the workflow in the Temporal UI. */
  memo?: Record<string, unknown>;
  /** Keywords by which it is found; left out on a server where they can't be registered. */
  searchAttributes?: Readonly<Record<string, string>>;
  /** Whether one that ended is started again: where it did not complete (it failed, was cancelled or terminated), or in any case. */
  restarts?: 'incomplete' | 'any';
}

/** A workflow that is started again and again; an operator finds, pauses and triggers it in the Temporal UI. */
export interface ScheduleRequest {
  id: string;
  workflowType: string;
  taskQueue: string;
  everyMs: number;
}

/** gRPC codes that mean «not now»: the deadline passed, the server or its namespace is not there (yet). */
const UNAVAILABLE_CODES = new Set([1, 4, 8, 14]);
const REUSE = { incomplete: 'ALLOW_DUPLICATE_FAILED_ONLY', any: 'ALLOW_DUPLICATE' } as const;
const START_DEADLINE_MS = 5_000;
/** Without one a call to a server that accepts and keeps silent would stay open for good. */
const CHECK_DEADLINE_MS = 2_000;
/** gRPC's own limit is two minutes: for that long a Temporal that is back would still count as away. */
const MAX_RECONNECT_WAIT_MS = 1_000;
/** `TASK_QUEUE_TYPE_WORKFLOW` */
const WORKFLOW_TASKS: number = 1;
/** `INDEXED_VALUE_TYPE_KEYWORD` */
const KEYWORD = 2;

/** Whether an error says that Temporal could not be reached, rather than that it refused. */
export function isTemporalUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause)) return UNAVAILABLE_CODES.has(cause.code);
    if (cause instanceof ServiceError && cause.cause === undefined) return true;
    if (/Failed to connect|deadline/i.test(cause.message)) return true;
  }
  return false;
}

/** A server that has no such call, or not for us, is lived with; one that is away must be asked again. */
function onlyIfUnavailable(error: unknown): undefined {
  if (isTemporalUnavailable(error)) throw error;
  return undefined;
}

/**
 * The way to Temporal for everyone but the workers. Connects on first use and again after a failure, so that a process
 * starts and serves while Temporal is away.
 */
export class TemporalGateway {
  readonly #address: string;
  readonly #namespace: string;
  readonly #queuePrefix: string;
  readonly #keywords: readonly string[];
  #connection: Promise<Connection> | undefined;
  #registered: Promise<ReadonlySet<string>> | undefined;

  constructor(options: {
    address: string;
    namespace: string;
    taskQueuePrefix: string;
    /** Search attributes (keywords) that workflows are started with; the server is asked to learn those it lacks. */
    searchAttributes?: readonly string[];
  }) {
    this.#address = options.address;
    this.#namespace = options.namespace;
    this.#queuePrefix = options.taskQueuePrefix;
    this.#keywords = options.searchAttributes ?? [];
  }

  /** Starts a workflow; one that was started before under the same id, running or done, counts as started (see `restarts`). */
  async start(request: WorkflowStartRequest): Promise<void> {
    const client = await this.client();
    const { workflowType, workflowId, taskQueue, input, memo } = request;
    const typedSearchAttributes = await this.typedAttributes(request.searchAttributes);
    try {
      await client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.start(workflowType, {
          workflowId,
          taskQueue: this.queueName(taskQueue),
          args: [input],
          workflowIdReusePolicy: request.restarts === undefined ? 'REJECT_DUPLICATE' : REUSE[request.restarts],
          workflowIdConflictPolicy: 'FAIL',
          ...(memo === undefined ? {} : { memo }),
          ...(typedSearchAttributes === undefined ? {} : { typedSearchAttributes }),
        }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /**
   * Makes a recurring start of a workflow what it should be, whether or not it exists already; with `ifMissing` one that
   * exists is left alone. Runs never overlap.
   */
  async ensureSchedule(schedule: ScheduleRequest, { ifMissing = false } = {}): Promise<void> {
    const client = await this.client();
    const scheduleId = this.queueName(schedule.id);
    const spec = { intervals: [{ every: schedule.everyMs }] };
    const action = {
      type: 'startWorkflow' as const,
      workflowType: schedule.workflowType,
      workflowId: scheduleId,
      taskQueue: this.queueName(schedule.taskQueue),
      args: [],
    };
    const policies = { overlap: 'SKIP' as const };
    try {
      await client.schedule.create({ scheduleId, spec, action, policies });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      if (ifMissing) return;
      const updated = ({ state }: ScheduleDescription): ScheduleUpdateOptions => ({ spec, action, policies, state });
      await client.schedule.getHandle(scheduleId).update(updated);
    }
  }

  /** Resolves when the workflow has ended in whatever way, or after `timeoutMs`. */
  async settled(workflowId: string, timeoutMs: number): Promise<void> {
    const client = await this.client();
    const outOfTime = new AbortController();
    const timer = setTimeout(
      () => {
        outOfTime.abort();
      },
      Math.max(0, timeoutMs),
    );
    try {
      // The long poll itself is cut off: left open it would outlive this call, and break when the connection is closed.
      await client.withAbortSignal(outOfTime.signal, () => client.workflow.getHandle(workflowId).result());
    } catch {
      // Failed, cancelled, unknown or still running: whoever waits looks at what it left.
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a signal to a running workflow; answers whether there is one. */
  async signal(workflowId: string, name: string): Promise<boolean> {
    const client = await this.client();
    try {
      await client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.getHandle(workflowId).signal(name),
      );
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async client(): Promise<Client> {
    return new Client({ connection: await this.#connect(), namespace: this.#namespace });
  }

  /** The task queue's name on the server: several stacks may share one Temporal behind prefixes. */
  queueName(taskQueue: string): string {
    return `${this.#queuePrefix}${taskQueue}`;
  }

  /** Resolves when Temporal answers. */
  async check(): Promise<void> {
    const connection = await this.#connect();
    await connection.withDeadline(Date.now() + CHECK_DEADLINE_MS, () => connection.workflowService.getSystemInfo({}));
  }

  /** How many workers have asked for work on a task queue of late. */
  async pollerCount(taskQueue: string): Promise<number> {
    const connection = await this.#connect();
    const description = await connection.withDeadline(Date.now() + CHECK_DEADLINE_MS, () =>
      connection.workflowService.describeTaskQueue({
        namespace: this.#namespace,
        taskQueue: { name: this.queueName(taskQueue) },
        // The enum itself lives in a package that only the SDK depends on.
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
        taskQueueType: WORKFLOW_TASKS,
      }),
    );
    return description.pollers.length;
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** The attributes that the server knows; it is asked to learn the rest once. */
  async typedAttributes(
    attributes: Readonly<Record<string, string>> | undefined,
  ): Promise<TypedSearchAttributes | undefined> {
    if (attributes === undefined || this.#keywords.length === 0) return undefined;
    this.#registered ??= this.#register().catch((error: unknown) => {
      this.#registered = undefined;
      throw error;
    });
    const known = await this.#registered;
    const pairs = Object.entries(attributes).flatMap(([name, value]): SearchAttributePair[] =>
      known.has(name) ? [{ key: defineSearchAttributeKey(name, 'KEYWORD'), value }] : [],
    );
    return new TypedSearchAttributes(pairs);
  }

  /** Which of our keywords the server knows, after it was asked to learn them (a hosted one may refuse that). */
  async #register(): Promise<ReadonlySet<string>> {
    const { operatorService } = await this.#connect();
    const namespace = this.#namespace;
    const list = async (): Promise<string[]> => {
      const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
      return this.#keywords.filter((name) => Number(customAttributes[name]) === KEYWORD);
    };
    const known = await list().catch(onlyIfUnavailable);
    const missing = this.#keywords.filter((name) => known?.includes(name) !== true);
    if (known === undefined || missing.length === 0) return new Set(known);
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
    await operatorService.addSearchAttributes({ namespace, searchAttributes }).catch(onlyIfUnavailable);
    return new Set(await list());
  }

  #connect(): Promise<Connection> {
    this.#connection ??= Connection.connect({
      address: this.#address,
      connectTimeout: 3_000,
      channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_WAIT_MS },
    }).catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }
}
