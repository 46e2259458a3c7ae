import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError, loadConfig, publicUrlOf } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import { createApp } from './app.ts';
import { docsLibrary } from './docs/library.ts';
import { createHttpServer, serveApp } from './http/http-server.ts';
import type { ServedApp } from './http/http-server.ts';
import { closeServices, createServices } from './services.ts';

/** The API process: listens, says so, and on SIGTERM answers what it has begun before it goes. */
async function main(config: Config): Promise<void> {
  const log = createLogger('api', config.LOG_LEVEL);
  const services = await createServices(config, log);
  const server = createHttpServer();
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const url = publicUrlOf(config, port);
  // Before the first request, which would have to wait for it.
  docsLibrary(url);
  const served = serveApp(server, createApp(services, url), { publicUrl: url, log });
  if (config.RATE_LIMIT_DISABLED) log.warn('RATE_LIMIT_DISABLED is set: for benchmarks and fuzzing only');

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    await drain(server, served, config.SHUTDOWN_GRACE_SECONDS * 1000);
    await closeServices(services);
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // The parent is gone (kill -9 of `npm start`): nobody is left to stop this process.
  process.on('disconnect', () => void stop('disconnect'));

  log.info({ url }, 'listening');
  process.send?.({ type: 'ready', url });
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.API_PORT, config.API_HOST, resolve);
  });
}

/** How long a request that is still being sent is waited for at shutdown. */
const ARRIVAL_GRACE_MS = 2_000;

/**
 * Refuses new connections, lets begun requests finish, and cuts what is left when the grace is over. A request that goes
 * on arriving is no work begun: it is cut soon, or one client could hold up every shutdown.
 */
async function drain(server: Server, served: ServedApp, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeIdleConnections();
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, 100);
  const cutArriving = setTimeout(
    () => {
      served.cutArriving();
    },
    Math.min(ARRIVAL_GRACE_MS, graceMs),
  );
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutArriving);
  clearTimeout(cut);
}

try {
  await main(loadConfig());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `The API could not start: ${message}`}\n`);
  process.exit(1);
}
