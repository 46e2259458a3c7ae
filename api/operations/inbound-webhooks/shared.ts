import { z } from 'zod';
import { InboundWebhookId } from '../../../domain/contracts/inbound-webhooks.ts';

export const AREA = 'Inbound webhooks';
export const PATH = '/api/v1/integrations/inbound-webhooks';

export const WebhookRef = z.strictObject({ id: InboundWebhookId });

/** The key or secret of a new or rotated webhook: which of them there is depends on auth_method. */
export const ONE_TIME_SECRETS = {
  api_key: z
    .string()
    .optional()
    .describe('With auth_method api_key: the key to send as X-API-Key, begins svc_wh_; shown here and nowhere else')
    .meta({ example: 'svc_wh_...' }),
  secret_key: z
    .string()
    .optional()
    .describe('With auth_method hmac: the secret that signs, begins whsec_; shown here and nowhere else')
    .meta({ example: 'whsec_...' }),
};
