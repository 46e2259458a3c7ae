import { createAuditSealActivities } from '../activities/audit-seals.ts';
import { createAuditorExportActivities } from '../activities/auditor-export.ts';
import { createDocumentJobActivities } from '../activities/document-jobs.ts';
import { createErasureActivities } from '../activities/erasure.ts';
import { createDeliveryActivities } from '../activities/deliveries.ts';
import { createMailActivities } from '../activities/mails.ts';
import { createInboundActivities } from '../activities/inbound-webhooks.ts';
import { createMaintenanceActivities } from '../activities/maintenance.ts';
import { createRecoveryActivities } from '../activities/recoveries.ts';
import { createRecurringActivities } from '../activities/recurring.ts';
import { createSigningKeyActivities } from '../activities/signing-keys.ts';
import { createWorkItemActivities } from '../activities/work-items.ts';
import { createTemplateActivities } from '../activities/workflow-templates.ts';
import {
  SCHEDULE,
  SCHEDULE_WRITES_SUFFIX,
  SEARCH_ATTRIBUTE,
  TASK_QUEUE,
  WORKFLOW,
} from '../domain/contracts/workflows.ts';
import { entities } from '../domain/entities.ts';
import { createBlobStore } from '../platform/blobs.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { createVault } from '../platform/crypto.ts';
import { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { GuardedHttp } from '../platform/http/guarded-client.ts';
import type { Logger } from '../platform/log.ts';
import { createMailer } from '../platform/mail.ts';
import type { Mailer } from '../platform/mail.ts';
import { TemporalSchedules } from '../platform/temporal-schedules.ts';
import { TemporalGateway } from '../platform/temporal.ts';
import type { WorkerProcess } from './worker-process.ts';
import { createWorkerMetrics, observeRelay, sendObserver } from './metrics.ts';
import { Relay } from './relay/relay.ts';
import { relaySessionUrl } from './relay/session.ts';
import { keepSchedules } from './schedules.ts';
import { TemporalWorker } from './temporal-worker.ts';
import { workflowBundle } from './workflow-bundle.ts';

const MAX_ACTIVITIES = 100;
/** Schedules written to Temporal at once: more would only wait there, and for the database. */
const MAX_SCHEDULE_WRITES = 5;
/** Of the relay, and of the activities: each sends a handful of statements at a time, however much it delivers. */
const MAX_CONNECTIONS = 8;

/** What the platform starts by itself: each schedule is named as the workflow that it starts. */
const SCHEDULES = (
  [
    'foldWorkItems',
    'maintenance',
    'mendDocumentJobs',
    'reconcileRecurringJobs',
    'startScheduledTemplates',
    'sealAuditTrail',
    'webhookMaintenance',
  ] as const
).map((name) => ({
  ...SCHEDULE[name],
  workflowType: WORKFLOW[name],
  taskQueue: TASK_QUEUE.platform,
}));

/** The platform worker: the relay, and the workflows and activities of task queue `platform`. */
export function createPlatformWorker(config: Config, log: Logger): WorkerProcess {
  const clock = systemClock;
  const vault = createVault(config.MASTER_KEY);
  const http = new GuardedHttp({ allowPrivateTargets: config.ALLOW_PRIVATE_TARGETS });
  const mailer = createMailer(config);
  const database = { poolSize: Math.min(MAX_CONNECTIONS, config.DATABASE_POOL_SIZE), entities, log };
  const url = config.DATABASE_SYSTEM_URL;
  const system = new SystemDatabase({ ...database, url, applicationName: 'worker-platform' });
  const tenants = new TenantDatabase({ ...database, url: config.DATABASE_APP_URL, applicationName: 'worker-platform' });
  const relayDb = new SystemDatabase({ ...database, url: relaySessionUrl(url), applicationName: 'relay' });
  const temporal = new TemporalGateway({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueuePrefix: config.TEMPORAL_TASK_QUEUE_PREFIX,
    searchAttributes: Object.values(SEARCH_ATTRIBUTE),
  });
  let isRelaying = false;
  const metrics = createWorkerMetrics(() => isRelaying);
  const observer = sendObserver(metrics.registry);
  const listenUrl = config.DATABASE_DIRECT_URL ?? url;
  const relay = new Relay({ db: relayDb, listenUrl, vault, http, temporal, clock, log, observer });
  observeRelay(metrics.registry, relay, system);
  const activities = activitiesOf({ config, log, system, tenants, vault, http, mailer, temporal, clock, observer });
  const workers = workersOf(config, log, activities);
  const schedules = keepSchedules(temporal, log, SCHEDULES);
  return {
    async start() {
      const metricsUrl = await metrics.listen(config.WORKER_METRICS_HOST, config.WORKER_METRICS_PORT);
      await Promise.all([relay.start(), ...workers.map((worker) => worker.start())]);
      isRelaying = true;
      schedules.start();
      return { metricsUrl };
    },
    async stop(graceMs) {
      isRelaying = false;
      schedules.stop();
      await Promise.all([relay.stop(graceMs), ...workers.map((worker) => worker.stop())]);
      mailer?.close();
      await Promise.all([
        http.destroy(),
        temporal.close(),
        metrics.close(),
        relayDb.close(),
        system.close(),
        tenants.close(),
      ]);
    },
  };
}

function workersOf(config: Config, log: Logger, activities: object): TemporalWorker[] {
  const shared = { config, log, activities };
  return [
    new TemporalWorker({
      ...shared,
      taskQueue: TASK_QUEUE.platform,
      bundle: workflowBundle(config.WORKFLOW_BUNDLE_DIR, log),
      maxConcurrentActivities: MAX_ACTIVITIES,
    }),
    new TemporalWorker({
      ...shared,
      taskQueue: `${TASK_QUEUE.platform}${SCHEDULE_WRITES_SUFFIX}`,
      maxConcurrentActivities: MAX_SCHEDULE_WRITES,
    }),
  ];
}

interface ActivityDeps {
  config: Config;
  log: Logger;
  system: SystemDatabase;
  tenants: TenantDatabase;
  vault: ReturnType<typeof createVault>;
  http: GuardedHttp;
  mailer: Mailer | undefined;
  temporal: TemporalGateway;
  clock: typeof systemClock;
  observer: ReturnType<typeof sendObserver>;
}

function activitiesOf(deps: ActivityDeps): object {
  const { config, log, system, tenants, vault, http, mailer, temporal, clock, observer } = deps;
  const blobs = createBlobStore(config);
  return {
    ...createDeliveryActivities({ system, vault, http, clock, observer }),
    ...createMailActivities({ system, mailer, clock, log, logsText: config.NODE_ENV === 'development' }),
    ...createMaintenanceActivities({ system, blobs, clock }),
    ...createRecoveryActivities({ system, vault }),
    ...createRecurringActivities({ system, tenants, schedules: new TemporalSchedules(temporal), clock }),
    ...createAuditSealActivities({ system }),
    ...createAuditorExportActivities({ tenants, blobs, clock }),
    ...createDocumentJobActivities({ system, tenants }),
    ...createErasureActivities({ blobs }),
    ...createInboundActivities({ tenants, blobs, clock }),
    ...createTemplateActivities({ system, tenants, clock }),
    ...createSigningKeyActivities({ system, clock }),
    ...createWorkItemActivities({ system }),
  };
}
