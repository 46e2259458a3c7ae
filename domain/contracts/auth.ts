import { z } from 'zod';
import { emailField } from './common.ts';

export const Login = z.strictObject({
  email: emailField('E-mail address of the user').meta({ example: 'owner@demo.example' }),
  password: z
    .string()
    .min(1)
    .max(1024)
    .describe('Password of the user')
    .meta({ example: 'correct horse battery staple' }),
});

export const Refresh = z.strictObject({
  refresh_token: z.string().min(1).max(200).describe('The refresh token of the last login or refresh; it works once'),
});

/** A password that is chosen now. */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 1024;
const newPassword = z
  .string()
  .min(MIN_PASSWORD)
  .max(MAX_PASSWORD)
  .describe(`The new one: ${String(MIN_PASSWORD)} characters or more`)
  .meta({ example: 'a long sentence is easy to keep' });

export const ChangePassword = z.strictObject({
  current_password: z.string().min(1).max(MAX_PASSWORD).describe('Password that you have now'),
  new_password: newPassword,
});

export const AcceptInvitation = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(200)
    .describe('What follows ?token= in the link of the mail; it works once')
    .meta({ example: 'svc_in_…' }),
  password: newPassword,
});

export const AcceptedInvitation = z
  .object({ email: z.string().describe('What the user signs in with').meta({ example: 'thandi@example.com' }) })
  .meta({ id: 'AcceptedInvitation' });

export const ForgotPassword = z.strictObject({
  email: emailField('E-mail address of the user who lost the password').meta({ example: 'thandi@example.com' }),
});

export const UserView = z
  .object({
    id: z.int(),
    client_id: z.int(),
    email: z.string().meta({ example: 'thandi@example.com' }),
    name: z.string().meta({ example: 'Thandi Nkosi' }),
    given_name: z.string().nullable(),
    family_name: z.string().nullable(),
    picture: z.string().nullable(),
    email_verified: z.boolean(),
    role: z.enum(['owner', 'admin', 'member', 'auditor']),
    is_active: z.boolean(),
  })
  .meta({ id: 'User' });
export type UserView = z.output<typeof UserView>;

export const TokenSet = z
  .object({
    access_token: z
      .string()
      .describe('JWT, valid for expires_in seconds; send it as Authorization: Bearer')
      .meta({ example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds').meta({ example: 900 }),
    refresh_token: z.string().describe('Valid 30 days, works once').meta({ example: 'svc_rt_…' }),
    user: UserView,
  })
  .meta({ id: 'TokenSet' });
export type TokenSet = z.output<typeof TokenSet>;
