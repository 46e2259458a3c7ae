import { z } from 'zod';
import { Moment } from './common.ts';

/** Scope names as keys and `true` as values (spec, "API key"). */
const Permissions = z
  .record(z.string().max(100), z.literal(true))
  .describe('Scope names as keys, true as values')
  .meta({ example: { 'work_items:read': true, 'work_items:write': true } });

export const CreateApiKey = z.strictObject({
  key_name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('Name of the key, unique within the client')
    .meta({ example: 'ERP sync' }),
  description: z.string().max(1_000).nullable().optional().describe('What the key is for'),
  environment: z
    .enum(['production', 'testing'])
    .default('production')
    .describe('Production keys need production access'),
  permissions: Permissions.default({}),
  allowed_ips: z.array(z.string().max(50)).max(100).default([]).describe('Single IPs or CIDR ranges; empty means all'),
  expires_in_days: z.int().min(1).max(3650).optional().describe('Days until the key expires; never when left out'),
  rate_limit_per_minute: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('Requests a minute; at most the ceiling of the tier'),
});
export type CreateApiKeyInput = z.output<typeof CreateApiKey>;

/** A key without its secret and without usage fields (spec, "API key"). */
export const ApiKeyRecord = z
  .object({
    id: z.int(),
    key_name: z.string(),
    description: z.string().nullable(),
    display_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    key_type: z.string(),
    environment: z.enum(['production', 'testing']),
    is_active: z.boolean(),
    permissions: z.object({ scopes: z.array(z.string()) }),
    allowed_ips: z.array(z.string()),
    rate_limit_per_minute: z.int().nullable(),
    last_used_at: Moment.nullable(),
    expires_at: Moment.nullable(),
    user_id: z.int(),
    created_at: Moment,
    updated_at: Moment,
    api_key_masked: z.string().describe('First 8 and last 4 characters'),
    api_key_full: z.string().nullable().describe('The whole key of a testing key; null for production'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyRecord = z.output<typeof ApiKeyRecord>;
