import { z } from 'zod';
import { idField, MAX_ID, Moment } from './common.ts';
import { KNOWN_SCOPES } from './scopes.ts';

/** Scope names as keys and `true` as values (spec, "API key"). */
const Permissions = z
  .record(z.string().max(100), z.literal(true, 'must be true; permissions are scope names as keys and true as values'))
  .describe('Scope names as keys, true as values')
  .meta({
    example: { 'work_items:read': true, 'work_items:write': true },
    propertyNames: { type: 'string', enum: [...KNOWN_SCOPES] },
  });

const KeyName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Name of the key, unique within the client')
  .meta({ example: 'ERP sync' });
const Description = z.string().max(1_000).nullable().describe('What the key is for');
const AllowedIps = z
  .array(
    z
      .string()
      .max(50)
      .meta({
        anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }, { pattern: '/[0-9]{1,3}$' }],
        example: '203.0.113.0/24',
      }),
  )
  .max(100)
  .describe('Single IPs or CIDR ranges; empty means all');
const RateLimit = z.int().min(1).max(MAX_ID).nullable().describe('Requests a minute; at most the ceiling of the tier');

export const ApiKeyId = idField('Id of the API key').meta({ example: 1 });

export const CreateApiKey = z.strictObject({
  key_name: KeyName,
  description: Description.optional(),
  environment: z
    .enum(['production', 'testing'])
    .default('production')
    .describe('Production keys need production access'),
  permissions: Permissions.default({}),
  allowed_ips: AllowedIps.default([]),
  expires_in_days: z.int().min(1).max(3650).optional().describe('Days until the key expires; never when left out'),
  rate_limit_per_minute: RateLimit.optional(),
});
export type CreateApiKeyInput = z.output<typeof CreateApiKey>;

/** Any of these; at least one (spec, "Endpoints / API keys"). */
export const UpdateApiKey = z.strictObject({
  key_name: KeyName.optional(),
  description: Description.optional(),
  display_name: z.string().max(100).nullable().optional().describe('Name shown to people'),
  avatar_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .optional()
    .describe('Picture shown to people, http or https')
    .meta({ example: 'https://example.com/erp.png' }),
  is_active: z.boolean().optional().describe('false revokes the key at once, true activates it again'),
  permissions: Permissions.optional(),
  allowed_ips: AllowedIps.optional(),
  rate_limit_per_minute: RateLimit.optional(),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe('Moment from which the key is refused, in the future; null: never')
    .meta({ example: '2027-11-21T08:30:00.000Z' }),
});
export type UpdateApiKeyInput = z.output<typeof UpdateApiKey>;

export const RotateApiKey = z.strictObject({
  grace_hours: z
    .int()
    .min(0)
    .max(720)
    .default(24)
    .describe('Hours that the old key works beside the new one; 0 ends it at once'),
});

export const RevealApiKey = z.strictObject({
  password: z
    .string()
    .min(1)
    .max(1_024)
    .describe('Password of your account')
    .meta({ example: 'your account password' }),
});

export const ListApiKeyAudit = z.strictObject({
  limit: z.int().min(1).max(200).default(50).describe('How many to return'),
  offset: z.int().min(0).max(1_000_000).default(0).describe('How many to skip'),
});

/** A key without its secret and without usage fields (spec, "API key"). */
export const ApiKeyRecord = z
  .object({
    id: z.int(),
    key_name: z.string().meta({ example: 'ERP sync' }),
    description: z.string().nullable(),
    display_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    key_type: z.string().meta({ example: 'integration' }),
    environment: z.enum(['production', 'testing']),
    is_active: z.boolean(),
    permissions: z.object({ scopes: z.array(z.string()).meta({ example: ['work_items:read', 'work_items:write'] }) }),
    allowed_ips: z.array(z.string()).meta({ example: ['203.0.113.0/24'] }),
    rate_limit_per_minute: z.int().nullable(),
    last_used_at: Moment.nullable(),
    expires_at: Moment.nullable(),
    user_id: z.int(),
    created_at: Moment,
    updated_at: Moment,
    api_key_masked: z.string().describe('First 8 and last 4 characters').meta({ example: 'svc_sk_J...E7rw' }),
    api_key_full: z
      .string()
      .nullable()
      .describe('The whole key of a testing key, for the user who owns it; null for others and for production'),
    previous_key_expires_at: Moment.nullable().describe('Until when the key before the last rotation works'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyRecord = z.output<typeof ApiKeyRecord>;

/** A key with what was done with it (spec, "API key"). */
export const ApiKeyDetail = ApiKeyRecord.extend({
  usage_stats: z
    .object({ total_requests: z.int(), requests_24h: z.int(), requests_7d: z.int() })
    .describe('Requests that authenticated with the key, up to a minute ago'),
}).meta({ id: 'ApiKeyDetail' });
export type ApiKeyDetail = z.output<typeof ApiKeyDetail>;

/** The whole key, in answer to the account's password. */
export const RevealedApiKey = z.object({
  api_key: z.string().describe('The full key').meta({ example: 'svc_sk_...' }),
});

export const REVEAL_OUTCOMES = ['revealed', 'wrong_password', 'too_many_tries', 'not_its_user'] as const;

/** One line of a key's audit trail: a change, or a reveal that was tried or done. */
export const ApiKeyAuditEntry = z
  .object({
    id: z.int(),
    at: Moment,
    action: z.string().describe('What was done').meta({ example: 'api_key.reveal' }),
    outcome: z
      .enum(['done', ...REVEAL_OUTCOMES])
      .describe('done for a change; for a reveal whether the key was shown, and why not'),
    actor: z.object({
      type: z.string().describe('user or system'),
      id: z.string(),
      name: z.string().nullable().describe('Name of the user'),
    }),
    address: z.string().nullable().describe('Address that the request came from'),
    details: z.record(z.string(), z.unknown()).describe('What was changed, from and to; never a secret'),
  })
  .meta({ id: 'ApiKeyAuditEntry' });
export type ApiKeyAuditEntry = z.output<typeof ApiKeyAuditEntry>;

/** What the client's platform tier allows (spec, "Rate-limit tier"). */
export const RateLimitTierView = z
  .object({
    slug: z.string().meta({ example: 'free' }),
    name: z.string(),
    requests_per_minute: z.int().describe("Ceiling of a key's rate_limit_per_minute"),
    burst_limit: z.int().describe('Requests within any one second'),
    max_api_keys: z.int().describe('Active keys'),
  })
  .meta({ id: 'RateLimitTier' });
