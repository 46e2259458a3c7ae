import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger } from 'pino';

/** What every line of one request or task carries, so that a reader can follow it across processes. */
export interface LogContext {
  request_id?: string;
  correlation_id?: string;
  client_id?: number;
  workflow_id?: string;
}

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that each line it logs carries `fields`. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** Adds fields to the running request's or task's lines (the client id is known only after authentication). */
export function addLogContext(fields: LogContext): void {
  const store = context.getStore();
  if (store !== undefined) Object.assign(store, fields);
}

/** `work`, to be run later and by others: what it logs carries the fields of now. */
export function keepingLogContext<Args extends unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
  const store = context.getStore();
  return store === undefined ? work : (...args) => context.run(store, work, ...args);
}

const SECRET_FIELDS = [
  'password',
  'api_key',
  'api_key_full',
  'secret',
  'secret_key',
  'client_secret',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
  'x-api-key',
  'x-cron-secret',
  'auth_credentials',
  'file_base64',
  'token',
  'code_verifier',
];
const redact = SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** A structured (JSON line) logger. Fields that hold secrets are replaced by `[redacted]` up to two levels deep. */
export function createLogger(service: string, level = 'info', destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redact, censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => ({ ...context.getStore() }),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
