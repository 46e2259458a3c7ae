import { z } from 'zod';
import { ApiError } from '../../../domain/contracts/errors.ts';
import { DLQ_RETENTION_DAYS, maintainWebhooks } from '../../../domain/maintenance/index.ts';
import { secretsEqual } from '../../../platform/crypto.ts';
import { openOperation } from '../../operation.ts';

const HEADER = 'x-cron-secret';
/** After this it answers with what is done so far; the next call goes on. */
const BUDGET_MS = 20_000;

const WebhookMaintenance = z.strictObject({
  dlq_retention_days: z
    .int()
    .min(1)
    .max(365)
    .default(DLQ_RETENTION_DAYS)
    .describe('Dead letters older than this many days expire')
    .meta({ example: 30 }),
});

const Done = z
  .object({
    dlq_expired: z.int().describe('Dead letters that became expired'),
    keys_deactivated: z.int().describe('Signing keys deactivated because their grace period was over'),
    is_complete: z.boolean().describe('false: there is more to do than one call does; call again'),
  })
  .meta({ id: 'WebhookMaintenance' });

export const webhookMaintenanceOperation = openOperation({
  name: 'webhook-maintenance',
  title: 'Maintain webhooks',
  description:
    'For a scheduler of yours: expires dead letters and deactivates signing keys whose grace period is over, of all clients. The platform does the same by itself every hour. Any number of calls may run at once.',
  area: 'Maintenance',
  scopes: null,
  input: WebhookMaintenance,
  output: Done,
  effects: 'write',
  idempotent: true,
  route: {
    method: 'post',
    path: '/api/v1/cron/webhook-maintenance',
    auth: [],
    headers: { [HEADER]: 'The secret that the operator has set as CRON_SECRET' },
  },
  errors: ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
  admit: ({ services: { config } }, header) => {
    const { CRON_SECRET: secret = '' } = config;
    if (secret === '') throw new ApiError('SERVICE_UNAVAILABLE', 'No CRON_SECRET is set, so nobody may call this.');
    if (!secretsEqual(header(HEADER) ?? '', secret)) {
      throw new ApiError('UNAUTHORIZED', `The header ${HEADER} is missing or wrong.`);
    }
  },
  run: async ({ services: { system, clock, log } }, { dlq_retention_days: retentionDays }) => {
    const endsAt = performance.now() + BUDGET_MS;
    const goOn = (): boolean => performance.now() < endsAt;
    const done = await maintainWebhooks(system, { retentionDays, now: clock.now(), goOn });
    log.info({ ...done, retention_days: retentionDays }, 'webhooks maintained');
    return {
      data: { dlq_expired: done.expired, keys_deactivated: done.deactivated, is_complete: done.isComplete },
    };
  },
});
