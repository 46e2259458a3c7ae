import { createLessonActivities } from '../activities/lessons.ts';
import { createTrainingActivities } from '../activities/training.ts';
import { createVisionActivities } from '../activities/vision.ts';
import { createDocumentEngine } from '../documents/index.ts';
import { PAGES_SUFFIX, TASK_QUEUE } from '../domain/contracts/workflows.ts';
import { entities } from '../domain/entities.ts';
import { createBlobStore } from '../platform/blobs.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { TenantDatabase } from '../platform/db/database.ts';
import type { Logger } from '../platform/log.ts';
import type { WorkerProcess } from './worker-process.ts';
import { createWorkerMetrics } from './metrics.ts';
import { TemporalWorker } from './temporal-worker.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Pages that are loaded while each child process reads one: more would wait there, in no order but that of their coming. */
const PAGES_AHEAD = 1;
/** Everything else that goes on at a time: a file is held in memory by each. */
const MAX_STEPS = 8;
/** A page whose call was deleted is given up about this soon. */
const HEARTBEAT_THROTTLE_MS = 1_000;

/** The documents worker: the Document AI engine behind task queue `documents`, its pages behind one of their own. */
export function createDocumentsWorker(config: Config, log: Logger): WorkerProcess {
  const tenants = new TenantDatabase({
    url: config.DATABASE_APP_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'worker-documents',
    entities,
    log,
  });
  const engine = createDocumentEngine({
    ...(config.DOCUMENT_PROCESSES === undefined ? {} : { processes: config.DOCUMENT_PROCESSES }),
    memoryLimitMb: config.DOCUMENT_MEMORY_MB,
    log: (line) => log.warn(line),
  });
  const blobs = createBlobStore(config);
  const activities = {
    ...createVisionActivities({ tenants, blobs, engine, clock: systemClock }),
    ...createTrainingActivities({ tenants, blobs, engine, clock: systemClock }),
    ...createLessonActivities({ tenants, blobs, engine }),
  };
  const shared = { config, log, activities, heartbeatThrottleMs: HEARTBEAT_THROTTLE_MS };
  const workers = [
    new TemporalWorker({
      ...shared,
      taskQueue: TASK_QUEUE.documents,
      bundle: workflowBundle(config.WORKFLOW_BUNDLE_DIR, log),
      maxConcurrentActivities: MAX_STEPS,
    }),
    new TemporalWorker({
      ...shared,
      taskQueue: `${TASK_QUEUE.documents}${PAGES_SUFFIX}`,
      maxConcurrentActivities: engine.stats().children + PAGES_AHEAD,
    }),
  ];
  const metrics = createWorkerMetrics(() => workers.every((worker) => worker.isRunning));
  return {
    async start() {
      const metricsUrl = await metrics.listen(config.WORKER_METRICS_HOST, config.WORKER_METRICS_PORT);
      await Promise.all(workers.map((worker) => worker.start()));
      return { metricsUrl };
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([engine.close(), metrics.close(), tenants.close()]);
    },
  };
}
