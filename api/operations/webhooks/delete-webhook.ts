import { z } from 'zod';
import { deleteWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from './get-webhook.ts';

export const deleteWebhookOperation = operation({
  name: 'delete-webhook',
  title: 'Delete a webhook',
  description:
    'Deletes an outbound webhook: nothing more is sent to it, deliveries that wait or are being retried end, its signing keys are deactivated. To stop for a while, set is_active to false instead.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: z.strictObject({ id: WebhookId }),
  output: z.object({ id: z.int(), deleted: z.literal(true) }),
  effects: 'destructive',
  route: { method: 'delete', path: '/api/v1/work-items/webhooks/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id }) => {
    await deleteWebhook(tx, caller, id);
    return { data: { id, deleted: true as const } };
  },
});
