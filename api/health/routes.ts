import { Router } from 'express';
import { request as httpRequest } from 'undici';
import type { Config } from '../../platform/config.ts';
import { TASK_QUEUE } from '../../domain/contracts/workflows.ts';
import { sendJson } from '../http/envelope.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { contextOf } from '../http/request-context.ts';
import type { Services } from '../services.ts';
import { HealthMonitor, overallStatus } from './probes.ts';
import type { Probe } from './probes.ts';
import { HEALTH_STATUSES } from './report.ts';

const PLATFORM = 'platform';

/** The health endpoints (spec, "Health"): always 200, the body tells the state. No authentication, no envelope. */
export function healthRouter(services: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const monitor = new HealthMonitor();
  const platform: Probe = { service: PLATFORM, check: () => pingDatabase(services) };
  const named = namedProbes(services);

  router.get('/api/v1/health', async (req, res) => {
    contextOf(req).route = '/api/v1/health';
    sendJson(res, 200, await monitor.report(platform));
  });
  router.get('/api/v1/health/all', async (req, res) => {
    contextOf(req).route = '/api/v1/health/all';
    const startedAt = performance.now();
    const probes = [platform, ...named, ...temporalProbes(services)];
    const reports = await Promise.all(probes.map((probe) => monitor.report(probe)));
    const counts = HEALTH_STATUSES.map(
      (status) => [status, reports.filter((report) => report.status === status).length] as const,
    );
    sendJson(res, 200, {
      status: overallStatus(reports, PLATFORM),
      // Of the oldest look: each is kept for five seconds.
      timestamp: reports.map((report) => report.timestamp).sort()[0] ?? new Date().toISOString(),
      total_latency_ms: Math.round((performance.now() - startedAt) * 100) / 100,
      services: reports.map(({ service, status, latency_ms }) => ({ service, status, latency_ms })),
      summary: { ...Object.fromEntries(counts), total: reports.length },
    });
  });
  for (const probe of named) {
    const path = `/api/v1/health/${probe.service}`;
    router.get(path, async (req, res) => {
      contextOf(req).route = path;
      sendJson(res, 200, await monitor.report(probe));
    });
  }
  for (const path of [
    '/api/v1/health',
    '/api/v1/health/all',
    ...named.map((probe) => `/api/v1/health/${probe.service}`),
  ]) {
    router.all(path, methodNotAllowed(path, 'GET, HEAD, OPTIONS'));
  }
  return router;
}

async function pingDatabase(services: Services): Promise<void> {
  if (!(await services.system.ping())) throw new Error('the database does not answer');
}

/** The services that have a path of their own. All but the blob store are other systems, probed at a configured address. */
function namedProbes(services: Services): Probe[] {
  const { config } = services;
  return [
    urlProbe('api-gateway', config.HEALTH_API_GATEWAY_URL),
    urlProbe('websocket', config.HEALTH_WEBSOCKET_URL),
    { service: 'cloud-storage', check: () => services.blobs.check() },
    urlProbe('whatsapp', config.HEALTH_WHATSAPP_URL),
    urlProbe('firewall', config.HEALTH_FIREWALL_URL),
    urlProbe('freeswitch', config.HEALTH_FREESWITCH_URL),
  ];
}

function urlProbe(service: string, url: Config['HEALTH_WEBSOCKET_URL']): Probe {
  if (url === undefined) return { service, check: undefined };
  const check = async (): Promise<void> => {
    const { statusCode, body } = await httpRequest(url, { signal: AbortSignal.timeout(2_000) });
    await body.dump();
    if (statusCode >= 400) throw new Error(`answered ${String(statusCode)}`);
  };
  return { service, check };
}

/** Temporal itself, and whether each task queue has a worker that polls it. */
function temporalProbes(services: Services): Probe[] {
  return [
    { service: 'temporal', check: () => services.temporal.check() },
    ...Object.values(TASK_QUEUE).map((queue) => ({
      service: `worker-${queue}`,
      check: async () => {
        if ((await services.temporal.pollerCount(queue)) === 0) throw new Error('no worker polls the task queue');
      },
    })),
  ];
}
