import { z } from 'zod';
import { RotateWebhookKey } from '../../../domain/contracts/webhook-keys.ts';
import { WebhookView } from '../../../domain/contracts/webhooks.ts';
import { rotateKey } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const rotateKeyOperation = operation({
  name: 'rotate-webhook-key',
  title: "Rotate a webhook's signing key",
  description:
    'Puts a new signing secret in force at once; it is in secret_key of this answer and nowhere else. Until grace_period_ends_at each delivery is signed with the old key too (X-Service-Signature-Previous, and beside the new one in webhook-signature); then the old key is deactivated. The owner is e-mailed, without the secret. Rotated again within a grace period, an older key keeps its earlier end; at most 5 keys are valid at a time.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: RotateWebhookKey,
  output: WebhookView,
  extras: {
    secret_key: z
      .string()
      .describe('The new signing secret, begins whsec_; keep it now')
      .meta({ example: 'whsec_...' }),
  },
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/work-items/webhooks/{id}/rotate-key',
    auth: ['jwt'],
    params: ['id'],
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async ({ tx, caller, services }, input) => {
    const deps = { vault: services.vault, now: services.clock.now() };
    const { webhook, secretKey } = await rotateKey(tx, caller, input, deps);
    return { data: webhook, extras: { secret_key: secretKey } };
  },
});
