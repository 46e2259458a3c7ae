import { InboundWebhookView, UpdateInboundWebhook } from '../../../domain/contracts/inbound-webhooks.ts';
import { updateInboundWebhook } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH, WebhookRef } from './shared.ts';

export const updateInboundWebhookOperation = operation({
  name: 'update-inbound-webhook',
  title: 'Change an inbound webhook',
  description:
    'Sets the fields that are given. Type and auth_method stay as they were made: its sender relies on them. With is_active false its address answers 404.',
  area: AREA,
  scopes: ['webhooks:write'],
  input: WebhookRef.extend(UpdateInboundWebhook.shape),
  output: InboundWebhookView,
  effects: 'write',
  idempotent: true,
  route: { method: 'patch', path: `${PATH}/{id}`, auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, ...input }) => ({ data: await updateInboundWebhook(tx, caller, id, input) }),
});
