import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Authenticator } from '../domain/auth/index.ts';
import type { Caller } from '../domain/contracts/caller.ts';
import { ApiError } from '../domain/contracts/errors.ts';
import { outboxGauges } from '../domain/outbox/index.ts';
import { contextOf } from './http/request-context.ts';
import type { RateLimiter } from '../domain/limits/index.ts';
import type { Services } from './services.ts';

/** The API's metrics: rate, errors and duration by route template, pool use, process figures. No tenant data in labels. */
export interface ApiMetrics {
  observe: RequestHandler;
  serve: RequestHandler;
  /** The authenticator, its results counted by kind of credential. */
  counted(authenticator: Authenticator): Authenticator;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createApiMetrics(
  services: Pick<Services, 'tenants' | 'system' | 'limiter' | 'broadcast' | 'keyUsage'>,
): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const authentication = new Counter({
    name: 'authentication_total',
    help: 'Authentications by kind of credential and result',
    labelNames: ['method', 'result'],
    registers: [registry],
  });
  poolGauge(registry, services);
  limiterMetrics(registry, services.limiter);
  keyGauges(registry, services);
  outboxGauges(registry, services.system);
  return {
    counted: (authenticator) => ({
      byApiKey: (apiKey, address) => count(authentication, 'api_key', authenticator.byApiKey(apiKey, address)),
      byAccessToken: (token, address) => count(authentication, 'jwt', authenticator.byAccessToken(token, address)),
      byOAuthToken: (token, issuer, address) =>
        count(authentication, 'oauth', authenticator.byOAuthToken(token, issuer, address)),
    }),
    observe: (req, res, next) => {
      res.once('finish', () => {
        const { route, startedAt } = contextOf(req);
        const labels = { method: req.method, route, status: String(res.statusCode) };
        duration.observe(labels, (performance.now() - startedAt) / 1000);
      });
      next();
    },
    serve: async (_req, res) => {
      res.set('Content-Type', registry.contentType).send(await registry.metrics());
    },
  };
}

async function count(counter: Counter<'method' | 'result'>, method: string, caller: Promise<Caller>): Promise<Caller> {
  try {
    const known = await caller;
    counter.inc({ method, result: 'ok' });
    return known;
  } catch (error) {
    counter.inc({ method, result: error instanceof ApiError ? error.code.toLowerCase() : 'error' });
    throw error;
  }
}

function keyGauges(registry: Registry, { broadcast, keyUsage }: Pick<Services, 'broadcast' | 'keyUsage'>): void {
  new Gauge({
    name: 'api_key_broadcast_listening',
    help: '1 while changes of API keys reach this process; while 0 it reads each key from the database',
    registers: [registry],
    collect() {
      this.set(broadcast.isListening ? 1 : 0);
    },
  });
  new Gauge({
    name: 'api_key_usage_unwritten',
    help: 'Counts of requests by API key and minute that wait to be written',
    registers: [registry],
    collect() {
      this.set(keyUsage.size);
    },
  });
}

function poolGauge(registry: Registry, { tenants, system }: Pick<Services, 'tenants' | 'system'>): void {
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of each pool: total, idle, and requests waiting for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, database] of [
        ['app', tenants],
        ['system', system],
      ] as const) {
        const { total, idle, waiting } = database.poolUse;
        this.set({ pool, state: 'total' }, total);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
}

/** The limiter counts by itself, because it decides faster than a labelled counter counts; they are read when scraped. */
function limiterMetrics(registry: Registry, limiter: RateLimiter): void {
  const registers = [registry];
  const help = 'Requests by what the rate limiter decided; limited: the window is used up, burst: too many in a second';
  new Counter({
    name: 'rate_limiter_decisions_total',
    help,
    labelNames: ['result'],
    registers,
    collect() {
      const { admitted, limited, burst } = limiter.counts();
      this.reset();
      for (const [result, count] of Object.entries({ admitted, limited, burst })) this.inc({ result }, count);
    },
  });
  const read = (name: string, what: string, value: () => number): void => {
    new Counter({
      name,
      help: what,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  };
  read('rate_limiter_waits_total', 'Requests that waited for the store', () => limiter.counts().waited);
  read('rate_limiter_leases_total', 'Slices of a window asked of the store', () => limiter.counts().leases);
  read('rate_limiter_store_failures_total', 'Calls that the store failed', () => limiter.counts().storeFailures);
  new Gauge({
    name: 'rate_limiter_fallback',
    help: '1 while the store is away and limits hold within this process only',
    registers,
    collect() {
      this.set(limiter.counts().fallback ? 1 : 0);
    },
  });
}
