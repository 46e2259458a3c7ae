import { z } from 'zod';
import { idField, Moment } from './common.ts';

/**
 * At most 30 days, as long as a dead letter can still be replayed: no older message is left that anyone could need the old
 * key for. 0 for a secret that has leaked.
 */
const MAX_GRACE_HOURS = 720;

export const RotateWebhookKey = z.strictObject({
  id: idField('Id of the webhook; see the list of webhooks').meta({ example: 1 }),
  grace_period_hours: z
    .int()
    .min(0)
    .max(MAX_GRACE_HOURS)
    .default(72)
    .describe(
      'How long the old key signs beside the new one. 0 ends every older key at once: for a secret that has leaked',
    )
    .meta({ example: 72 }),
});
export type RotateWebhookKeyInput = z.output<typeof RotateWebhookKey>;

/** A public key of a webhook that signs with ed25519. */
export const PublicKeyView = z
  .object({
    key_version: z.int().describe('Version of the signing key that it belongs to'),
    algorithm: z.literal('ed25519'),
    public_key: z
      .string()
      .describe('whpk_ and the base64 of its 32 bytes, as Standard Webhooks writes it')
      .meta({ example: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' }),
    expires_at: Moment.nullable().describe('When it stops signing; null for the current one'),
  })
  .meta({ id: 'WebhookPublicKey' });
export type PublicKeyView = z.output<typeof PublicKeyView>;
