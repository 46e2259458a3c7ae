import type { HealthReport, HealthStatus } from './report.ts';

/** How long a probe may take before its service counts as down (decisions §10). */
const PROBE_BUDGET_MS = 2_000;
const CACHE_MS = 5_000;

export interface Probe {
  service: string;
  /** Undefined: no address is configured, the service is `disabled`. Resolves when healthy, throws when not. */
  check: (() => Promise<void>) | undefined;
}

/** Runs probes within their budget and keeps each report for five seconds, so that polling costs the services nothing. */
export class HealthMonitor {
  readonly #cache = new Map<string, { report: Promise<HealthReport>; until: number }>();

  report(probe: Probe): Promise<HealthReport> {
    const cached = this.#cache.get(probe.service);
    if (cached !== undefined && cached.until > performance.now()) return cached.report;
    const report = runProbe(probe);
    this.#cache.set(probe.service, { report, until: performance.now() + CACHE_MS });
    return report;
  }
}

async function runProbe(probe: Probe): Promise<HealthReport> {
  const startedAt = performance.now();
  const status = probe.check === undefined ? 'disabled' : await statusOf(probe.check);
  const latency = Math.round((performance.now() - startedAt) * 100) / 100;
  return { status, service: probe.service, latency_ms: latency, timestamp: new Date().toISOString() };
}

async function statusOf(check: () => Promise<void>): Promise<HealthStatus> {
  let timer: NodeJS.Timeout | undefined;
  const outOfTime = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => {
      resolve('down');
    }, PROBE_BUDGET_MS);
  });
  try {
    const checked = check().then(
      () => 'healthy' as const,
      () => 'down' as const,
    );
    return await Promise.race([checked, outOfTime]);
  } finally {
    clearTimeout(timer);
  }
}

/** The worst of several: one down service leaves the whole degraded, the platform itself down leaves it down. */
export function overallStatus(reports: readonly HealthReport[], essential: string): HealthStatus {
  const counted = reports.filter((report) => report.status !== 'disabled');
  if (counted.some((report) => report.service === essential && report.status === 'down')) return 'down';
  return counted.some((report) => report.status !== 'healthy') ? 'degraded' : 'healthy';
}
