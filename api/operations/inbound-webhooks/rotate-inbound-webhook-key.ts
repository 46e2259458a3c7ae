import { InboundWebhookView, RotateInboundKey } from '../../../domain/contracts/inbound-webhooks.ts';
import { rotateInboundKey } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, ONE_TIME_SECRETS, PATH, WebhookRef } from './shared.ts';

export const rotateInboundWebhookKeyOperation = operation({
  name: 'rotate-inbound-webhook-key',
  title: 'Replace the key of an inbound webhook',
  description:
    'Makes a new key (auth_method api_key) or secret (hmac), in this answer and nowhere else. The old one works for grace_period_hours more, so that the sender can be changed over; one that was replaced before ends now.',
  area: AREA,
  scopes: ['webhooks:write'],
  input: WebhookRef.extend(RotateInboundKey.shape),
  output: InboundWebhookView,
  extras: ONE_TIME_SECRETS,
  effects: 'write',
  route: { method: 'post', path: `${PATH}/{id}/rotate-key`, auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, { id, grace_period_hours: graceHours }) => {
    const deps = { graceHours, vault: services.vault, now: services.clock.now() };
    const { webhook, secret } = await rotateInboundKey(tx, caller, id, deps);
    return { data: webhook, extras: { ...secret } };
  },
});
