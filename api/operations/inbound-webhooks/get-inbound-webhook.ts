import { InboundWebhookView } from '../../../domain/contracts/inbound-webhooks.ts';
import { getInboundWebhook } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH, WebhookRef } from './shared.ts';

export const getInboundWebhookOperation = operation({
  name: 'get-inbound-webhook',
  title: 'Get an inbound webhook',
  description: 'Returns one inbound webhook: what it takes, where its sender posts to, and how often it was called.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: WebhookRef,
  output: InboundWebhookView,
  effects: 'read',
  route: { method: 'get', path: `${PATH}/{id}`, auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id }) => ({ data: await getInboundWebhook(tx, caller, id) }),
});
