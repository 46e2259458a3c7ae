import { z } from 'zod';
import { PublicKeyView } from '../../../domain/contracts/webhook-keys.ts';
import { getWebhook, publicKeys } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from './get-webhook.ts';

export const listPublicKeysOperation = operation({
  name: 'list-webhook-public-keys',
  title: 'List the public keys of a webhook',
  description:
    'Lists the ed25519 public keys with which receivers check the v1a signatures of a webhook that has ed25519_enabled, the current one first; during a grace period the old ones too. Empty where ed25519_enabled is false.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: z.strictObject({ id: WebhookId }),
  output: z.array(PublicKeyView),
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/work-items/webhooks/{id}/public-keys',
    auth: ['jwt'],
    params: ['id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller, services }, { id: webhookId }) => {
    const [, keys] = await Promise.all([
      getWebhook(tx, caller, webhookId),
      publicKeys(tx, webhookId, services.clock.now()),
    ]);
    return { data: keys };
  },
});
