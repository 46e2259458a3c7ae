import { InboundWebhookView } from '../../../domain/contracts/inbound-webhooks.ts';
import { deleteInboundWebhook } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH, WebhookRef } from './shared.ts';

export const deleteInboundWebhookOperation = operation({
  name: 'delete-inbound-webhook',
  title: 'Delete an inbound webhook',
  description:
    'Its address answers 404 from now on. What it received is still processed. Returns it as it was, inactive.',
  area: AREA,
  scopes: ['webhooks:write'],
  input: WebhookRef,
  output: InboundWebhookView,
  effects: 'destructive',
  route: { method: 'delete', path: `${PATH}/{id}`, auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id }) => ({ data: await deleteInboundWebhook(tx, caller, id) }),
});
