import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError, loadConfig } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import { createApp } from './app.ts';
import { createHttpServer, serveApp } from './http/http-server.ts';
import { closeServices, createServices } from './services.ts';

/** The API process: listens, says so, and on SIGTERM answers what it has begun before it goes. */
async function main(config: Config): Promise<void> {
  const log = createLogger('api', config.LOG_LEVEL);
  const services = await createServices(config, log);
  const server = createHttpServer();
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const url = config.PUBLIC_URL ?? `http://${config.API_HOST}:${String(port)}`;
  serveApp(server, createApp(services, url), { publicUrl: url, log });
  if (config.RATE_LIMIT_DISABLED) log.warn('RATE_LIMIT_DISABLED is set: for benchmarks and fuzzing only');

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    await drain(server, config.SHUTDOWN_GRACE_SECONDS * 1000);
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

/** Refuses new connections, lets begun requests finish, and cuts what is left when the grace is over. */
async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeIdleConnections();
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, 100);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

try {
  await main(loadConfig());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `The API could not start: ${message}`}\n`);
  process.exit(1);
}
