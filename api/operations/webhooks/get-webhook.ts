import { z } from 'zod';
import { idField } from '../../../domain/contracts/common.ts';
import { WebhookView } from '../../../domain/contracts/webhooks.ts';
import { getWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const WebhookId = idField('Id of the webhook').meta({ example: 1 });

export const getWebhookOperation = operation({
  name: 'get-webhook',
  title: 'Get a webhook',
  description:
    'Returns one outbound webhook: its settings, whether it is verified and active, how its last sends went, and whether its circuit breaker is open. Secrets are masked.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: z.strictObject({ id: WebhookId }),
  output: WebhookView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/work-items/webhooks/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, input) => ({ data: await getWebhook(tx, caller, input.id) }),
});
