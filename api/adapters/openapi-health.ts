import { z } from 'zod';
import { HEALTH_STATUSES, HealthReport } from '../health/report.ts';
import type { Endpoint } from './openapi-model.ts';
import type { SchemaCollector } from './schema-collector.ts';

export const HEALTH_TAG = 'Health';

/** The services that have a path of their own (spec, "Health"). */
const SERVICES = {
  'api-gateway': 'the API gateway',
  websocket: 'the WebSocket service',
  'cloud-storage': 'the blob store',
  whatsapp: 'the WhatsApp gateway',
  firewall: 'the firewall',
  freeswitch: 'FreeSWITCH',
} as const;

const count = z.int().min(0);
const Aggregate = z
  .object({
    status: z.enum(HEALTH_STATUSES),
    timestamp: z.iso.datetime(),
    total_latency_ms: z.number(),
    services: z.array(HealthReport.omit({ timestamp: true })),
    summary: z.object({ healthy: count, degraded: count, down: count, disabled: count, total: count }),
  })
  .meta({ id: 'HealthSummary' });

/** The health endpoints and the metrics: no credential, no envelope, 200 whatever the state. */
export function healthEndpoints(schemas: SchemaCollector): [string, Endpoint][] {
  const report = schemas.use(HealthReport, 'output');
  const one = (operationId: string, what: string): Endpoint => ({
    ...open,
    operationId,
    summary: `Health of ${what}`,
    description: 'Answers 200 whatever the state; `status` tells it. A service without an address is `disabled`.',
    answers: { 200: { description: 'The report', schema: report } },
  });
  const all: Endpoint = {
    ...open,
    operationId: 'health-all',
    summary: 'Health of every service',
    description: 'Answers 200 whatever the state; `status` is the worst of the services, `summary` counts them.',
    answers: { 200: { description: 'The reports', schema: schemas.use(Aggregate, 'output') } },
  };
  const metrics: Endpoint = {
    ...open,
    operationId: 'metrics',
    summary: 'Metrics of this process',
    description: 'Rate, errors and duration by route, pool use and process figures, as Prometheus reads them.',
    answers: {
      200: {
        description: 'Prometheus text format',
        schema: { type: 'string', examples: ['process_open_fds 42\n'] },
        mediaType: 'text/plain',
      },
    },
  };
  return [
    ['/api/v1/health', one('health', 'the platform and its database')],
    ['/api/v1/health/all', all],
    ...Object.entries(SERVICES).map(([service, what]): [string, Endpoint] => [
      `/api/v1/health/${service}`,
      one(`health-${service}`, what),
    ]),
    ['/metrics', metrics],
  ];
}

const open = { tag: HEALTH_TAG, method: 'get', auth: [], versioned: false } as const;
