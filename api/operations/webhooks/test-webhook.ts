import { TestWebhook, WebhookTestResult } from '../../../domain/contracts/webhooks.ts';
import { testWebhook } from '../../../domain/webhooks/index.ts';
import { detachedOperation } from '../../operation.ts';
import { limitSends } from '../../webhooks/limit-sends.ts';
import { WebhookId } from './get-webhook.ts';

export const testWebhookOperation = detachedOperation({
  name: 'test-webhook',
  title: 'Test a webhook',
  description:
    'Sends one event to the endpoint now, whatever it subscribes to, also while the webhook is inactive, and answers with what came back once it has, timeout_seconds at the latest. The request is that of a real delivery, with the header X-Webhook-Test: true. It is sent once: no retries, no dead letter, and it counts for nothing. It is in the delivery log. At most 60 tests and verifications a minute.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: TestWebhook.extend({ id: WebhookId }),
  output: WebhookTestResult,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/work-items/webhooks/{id}/test', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND', 'CONFLICT', 'TIER_RESTRICTED'],
  run: async ({ caller, services }, { id, ...input }) => {
    await limitSends(services, caller.clientId);
    return { data: await testWebhook(services, caller, id, input) };
  },
});
