import { z } from 'zod';
import { CreateWebhook, WebhookView } from '../../../domain/contracts/webhooks.ts';
import { createWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { limitSends } from '../../webhooks/limit-sends.ts';

export const createWebhookOperation = operation({
  name: 'create-webhook',
  title: 'Create a webhook',
  description:
    'Subscribes an endpoint to events: from now on each of them is sent to endpoint_url. The names are in available_events of list-webhooks, or custom.<name> for events of your own. The signing secret is in secret_key of this answer and nowhere else. A client has at most 100 webhooks. Try it with test-webhook.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: CreateWebhook,
  output: WebhookView,
  extras: {
    secret_key: z.string().describe('Signing secret, begins whsec_; keep it now').meta({ example: 'whsec_...' }),
  },
  effects: 'write',
  route: { method: 'post', path: '/api/v1/work-items/webhooks', auth: ['jwt'], status: 201 },
  errors: ['TIER_RESTRICTED', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, input) => {
    const allowPrivateTargets = services.config.ALLOW_PRIVATE_TARGETS;
    const { webhook, secretKey } = await createWebhook(tx, caller, input, {
      vault: services.vault,
      allowPrivateTargets,
      admitChallenge: () => limitSends(services, caller.clientId),
    });
    return { data: webhook, extras: { secret_key: secretKey } };
  },
});
