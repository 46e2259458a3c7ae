import { UpdateWebhook, WebhookView } from '../../../domain/contracts/webhooks.ts';
import { updateWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { limitSends } from '../../webhooks/limit-sends.ts';
import { WebhookId } from './get-webhook.ts';

export const updateWebhookOperation = operation({
  name: 'update-webhook',
  title: 'Change a webhook',
  description:
    'Changes the given fields of an outbound webhook; lists and objects are replaced whole. is_active true also takes back that we switched it off, and closes its circuit breaker. A new endpoint_url of a webhook made with require_verification must prove itself again: the webhook is pending until it does; naming the same address again sends a new challenge to one that is not verified. Deliveries that wait go to the endpoint as it is when they are sent.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: UpdateWebhook.extend({ id: WebhookId }),
  output: WebhookView,
  effects: 'write',
  route: { method: 'patch', path: '/api/v1/work-items/webhooks/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND', 'TIER_RESTRICTED'],
  run: async ({ tx, caller, services }, { id, ...input }) => {
    const { vault, config } = services;
    const admitChallenge = (): Promise<void> => limitSends(services, caller.clientId);
    const deps = { vault, allowPrivateTargets: config.ALLOW_PRIVATE_TARGETS, admitChallenge };
    return { data: await updateWebhook(tx, caller, id, input, deps) };
  },
});
