import { createVisionActivities } from '../activities/vision.ts';
import { createDocumentEngine } from '../documents/index.ts';
import { TASK_QUEUE } from '../domain/contracts/workflows.ts';
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

/** Documents under way at a time for each child process: one is read while the next is loaded. */
const ACTIVITIES_PER_PROCESS = 2;
const DEFAULT_PROCESSES = 2;

/** The documents worker: the Document AI engine behind task queue `documents`. */
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
  const worker = new TemporalWorker({
    config,
    log,
    taskQueue: TASK_QUEUE.documents,
    bundle: workflowBundle(config.WORKFLOW_BUNDLE_DIR, log),
    activities: createVisionActivities({ tenants, blobs, engine, clock: systemClock }),
    maxConcurrentActivities: ACTIVITIES_PER_PROCESS * (config.DOCUMENT_PROCESSES ?? DEFAULT_PROCESSES),
  });
  const metrics = createWorkerMetrics(() => worker.isRunning);
  return {
    async start() {
      const metricsUrl = await metrics.listen(config.WORKER_METRICS_HOST, config.WORKER_METRICS_PORT);
      await worker.start();
      return { metricsUrl };
    },
    async stop() {
      await worker.stop();
      await Promise.all([engine.close(), metrics.close(), tenants.close()]);
    },
  };
}
