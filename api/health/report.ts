import { z } from 'zod';

export const HEALTH_STATUSES = ['healthy', 'degraded', 'down', 'disabled'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** One service's report (spec, "Health"). */
export const HealthReport = z
  .object({
    status: z.enum(HEALTH_STATUSES),
    service: z.string(),
    latency_ms: z.number(),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'HealthReport' });
export type HealthReport = z.output<typeof HealthReport>;
