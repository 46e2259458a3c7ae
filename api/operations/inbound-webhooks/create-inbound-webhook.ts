import { CreateInboundWebhook, InboundWebhookView } from '../../../domain/contracts/inbound-webhooks.ts';
import { createInboundWebhook } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, ONE_TIME_SECRETS, PATH } from './shared.ts';

export const createInboundWebhookOperation = operation({
  name: 'create-inbound-webhook',
  title: 'Create an inbound webhook',
  description:
    'Makes an address (receive_path) that another system posts to. Its key or secret is in this answer and nowhere else. At most 100 per account.',
  area: AREA,
  scopes: ['webhooks:write'],
  input: CreateInboundWebhook,
  output: InboundWebhookView,
  extras: ONE_TIME_SECRETS,
  effects: 'write',
  route: { method: 'post', path: PATH, auth: ['jwt'], status: 201 },
  errors: ['UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, input) => {
    const { webhook, secret } = await createInboundWebhook(tx, caller, input, services.vault);
    return { data: webhook, extras: { ...secret } };
  },
});
