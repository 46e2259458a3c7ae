import { parseArgs } from 'node:util';
import { TASK_QUEUE } from '../domain/contracts/workflows.ts';
import { ConfigError, loadConfig } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import type { Logger } from '../platform/log.ts';
import { installRuntime } from './temporal-worker.ts';
import type { WorkerProcess } from './worker-process.ts';

const USAGE = 'usage: node worker/main.ts --queue platform|documents';

/** A worker process: serves one task queue, and on SIGTERM finishes what it has begun before it goes. */
async function main(): Promise<void> {
  const queue = parseArgs({ options: { queue: { type: 'string' } } }).values.queue;
  if (queue !== TASK_QUEUE.platform && queue !== TASK_QUEUE.documents) throw new ConfigError(USAGE);
  const config = loadConfig();
  const log = createLogger(`worker-${queue}`, config.LOG_LEVEL);
  installRuntime(log);
  const worker = await createWorker(queue, config, log);
  stopOnSignals(worker, config, log);
  const { metricsUrl } = await worker.start();
  log.info({ queue, metrics_url: metricsUrl }, 'at work');
  process.send?.({ type: 'ready', metricsUrl });
}

/** Imported as needed: the documents worker alone pays for the native libraries, the platform worker for the relay. */
async function createWorker(queue: 'platform' | 'documents', config: Config, log: Logger): Promise<WorkerProcess> {
  if (queue === TASK_QUEUE.platform) return (await import('./platform.ts')).createPlatformWorker(config, log);
  return (await import('./documents.ts')).createDocumentsWorker(config, log);
}

function stopOnSignals(worker: WorkerProcess, config: Config, log: Logger): void {
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1_000;
  let isStopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'draining');
    // What still hangs after the grace is repeated by another worker: its leases and tasks run out.
    setTimeout(() => process.exit(0), graceMs + 2_000).unref();
    await worker.stop(graceMs).catch((error: unknown) => {
      log.warn({ err: (error as Error).message }, 'not stopped in order');
    });
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // The parent is gone (kill -9 of `npm start`): nobody is left to stop this process.
  process.on('disconnect', () => void stop('disconnect'));
}

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `The worker could not start: ${message}`}\n`);
  process.exit(1);
}
