import { z } from 'zod';
import { CreateWebhook, WebhookView } from '../../../domain/contracts/webhooks.ts';
import { createWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const createWebhookOperation = operation({
  name: 'create-webhook',
  title: 'Create a webhook',
  description: 'Subscribes an endpoint to events. The signing secret is in secret_key of this answer and nowhere else.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: CreateWebhook,
  output: WebhookView,
  extras: {
    secret_key: z.string().describe('Signing secret, begins whsec_; keep it now').meta({ example: 'whsec_...' }),
  },
  effects: 'write',
  route: { method: 'post', path: '/api/v1/work-items/webhooks', auth: ['jwt'], status: 201 },
  errors: ['TIER_RESTRICTED'],
  run: async ({ tx, caller, services }, input) => {
    const allowPrivateTargets = services.config.ALLOW_PRIVATE_TARGETS;
    const { webhook, secretKey } = await createWebhook(tx, caller, input, {
      vault: services.vault,
      allowPrivateTargets,
    });
    return { data: webhook, extras: { secret_key: secretKey } };
  },
});
