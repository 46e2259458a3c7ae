import { z } from 'zod';
import { idField, Moment } from './common.ts';

export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export const CLIENT_TYPES = ['confidential', 'public'] as const;

export const MAX_REDIRECT_URIS = 10;

/** Shown to users who decide whether to trust it: no line breaks, no characters that reorder text. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/\p{C}/u.test(name), 'must not hold control or invisible characters')
  .describe('Name of the application, as users see it when they are asked')
  .meta({ example: 'Fleet planner' });
const RedirectUris = z
  .array(z.string().min(1).max(2_000).meta({ example: 'https://app.example.com/callback' }))
  .max(MAX_REDIRECT_URIS)
  .describe(
    'Where answers may go, compared character by character: https; http on loopback, where any port matches; for public clients also a private-use scheme such as com.example.app:/callback',
  );
const Scopes = z
  .array(z.string().max(100))
  .max(200)
  .describe('Scopes that it may ask for: those of API keys, and openid, profile, email')
  .meta({ example: ['openid', 'profile', 'work_items:read'] });
const DefaultScopes = z
  .array(z.string().max(100))
  .max(200)
  .describe('Meant by an authorization request without scope; empty: such a request is refused')
  .meta({ example: [] });
const GrantTypes = z.array(z.enum(GRANT_TYPES)).min(1).max(3).describe('Grants that it may use');
const LogoUrl = z
  .url({ protocol: /^https$/ })
  .max(2_000)
  .nullable()
  .describe('Its logo, https')
  .meta({ example: 'https://app.example.com/logo.png' });

export const OAuthApplicationId = idField('Id of the application').meta({ example: 1 });

export const CreateOAuthApplication = z.strictObject({
  name: Name,
  client_type: z
    .enum(CLIENT_TYPES)
    .default('confidential')
    .describe('confidential: runs on a server and keeps a secret; public: runs at the user, without one'),
  redirect_uris: RedirectUris.default([]),
  scopes: Scopes,
  grant_types: GrantTypes.default(['authorization_code', 'refresh_token']),
  default_scopes: DefaultScopes.default([]),
  logo_url: LogoUrl.optional(),
});
export type CreateOAuthApplicationInput = z.output<typeof CreateOAuthApplication>;

/** Any of these; at least one. */
export const UpdateOAuthApplication = z.strictObject({
  name: Name.optional(),
  redirect_uris: RedirectUris.optional(),
  scopes: Scopes.optional(),
  grant_types: GrantTypes.optional(),
  default_scopes: DefaultScopes.optional(),
  logo_url: LogoUrl.optional(),
  is_active: z.boolean().optional().describe('false stops it and all its tokens at once'),
});
export type UpdateOAuthApplicationInput = z.output<typeof UpdateOAuthApplication>;

export const OAuthApplicationView = z
  .object({
    id: z.int(),
    client_id: z.string().describe('The OAuth client_id').meta({ example: 'svc_oa_...' }),
    name: z.string().meta({ example: 'Fleet planner' }),
    client_type: z.enum(CLIENT_TYPES),
    redirect_uris: z.array(z.string()).meta({ example: ['https://app.example.com/callback'] }),
    scopes: z.array(z.string()).meta({ example: ['openid', 'profile', 'work_items:read'] }),
    grant_types: z.array(z.enum(GRANT_TYPES)),
    default_scopes: z.array(z.string()),
    logo_url: z.string().nullable(),
    is_active: z.boolean(),
    created_by_user_id: z.int(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'OAuthApplication' });
export type OAuthApplicationView = z.output<typeof OAuthApplicationView>;

export const OAuthApplicationWithSecret = OAuthApplicationView.extend({
  client_secret: z
    .string()
    .nullable()
    .describe('In this answer and nowhere else; null for a public client')
    .meta({ example: 'svc_os_...' }),
}).meta({ id: 'OAuthApplicationWithSecret' });
