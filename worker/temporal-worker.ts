import { DefaultLogger, NativeConnection, Runtime, makeTelemetryFilterString, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';

const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

export interface TemporalWorkerOptions {
  config: Config;
  log: Logger;
  taskQueue: string;
  /** The workflows; without them, activities alone are served. */
  bundle?: Promise<{ codePath: string }>;
  activities: object;
  maxConcurrentActivities: number;
  /** How soon an activity that heartbeats hears that it was cancelled. Default: the SDK's, most of its heartbeat timeout. */
  heartbeatThrottleMs?: number;
}

/** Makes the SDK log through ours and leave signals to us. Once a process. */
export function installRuntime(log: Logger): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  Runtime.install({
    shutdownSignals: [],
    // The core's own lines too, as JSON through our logger instead of text beside it.
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} } },
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const { sdkComponent, workflowId, activityType, error } = (meta ?? {}) as Record<string, unknown>;
      const fields = { sdkComponent, workflow_id: workflowId, activityType, err: errorText(error) };
      log[levels[level]](fields, message);
    }),
  });
}

/**
 * Polls a task queue for as long as the process lives: waits for a Temporal that is not there yet, and makes itself anew
 * should it fail.
 */
export class TemporalWorker {
  readonly #options: TemporalWorkerOptions;
  #worker: Worker | undefined;
  #connection: NativeConnection | undefined;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  #wakeUp: () => void = () => undefined;

  constructor(options: TemporalWorkerOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker?.getState() === 'RUNNING';
  }

  /** Resolves when the first attempt to reach Temporal has ended, well or not; goes on trying by itself. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve);
    });
  }

  /** Takes no more tasks and finishes those under way within the grace period. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wakeUp();
    if (this.isRunning) this.#worker?.shutdown();
    await this.#running;
  }

  async #run(onFirstAttempt: () => void): Promise<void> {
    let waitMs = MIN_WAIT_MS;
    while (!this.#stopped()) {
      try {
        const worker = await this.#create();
        this.#worker = worker;
        waitMs = MIN_WAIT_MS;
        if (this.#stopped()) break;
        const run = worker.run();
        onFirstAttempt();
        await run;
      } catch (error) {
        this.#options.log.warn(
          { err: errorText(error), task_queue: this.#options.taskQueue },
          'no Temporal worker yet',
        );
        onFirstAttempt();
        await this.#pause(waitMs);
        waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
      } finally {
        await this.#connection?.close().catch(() => undefined);
        this.#connection = undefined;
      }
    }
  }

  #stopped(): boolean {
    return this.#isStopped;
  }

  async #create(): Promise<Worker> {
    const { config, taskQueue, bundle, activities, maxConcurrentActivities, heartbeatThrottleMs } = this.#options;
    this.#connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
    const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1_000;
    const options: WorkerOptions = {
      connection: this.#connection,
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueue: `${config.TEMPORAL_TASK_QUEUE_PREFIX}${taskQueue}`,
      ...(bundle === undefined ? {} : { workflowBundle: await bundle }),
      activities,
      maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
      maxConcurrentLocalActivityExecutions: maxConcurrentActivities,
      ...(heartbeatThrottleMs === undefined ? {} : { maxHeartbeatThrottleInterval: heartbeatThrottleMs }),
      shutdownGraceTime: Math.max(500, graceMs - 2_000),
      shutdownForceTime: graceMs,
    };
    return Worker.create(options);
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function errorText(error: unknown): string | undefined {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : undefined;
}
