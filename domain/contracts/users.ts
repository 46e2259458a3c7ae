import { z } from 'zod';
import { emailField, idField, Moment, textField, windowFields } from './common.ts';
import { UserView } from './people.ts';

export const ROLES = ['owner', 'admin', 'member', 'auditor'] as const;

/** How long an invitation and a link for a new password work. */
export const INVITATION_DAYS = 7;
export const RESET_MINUTES = 60;

const MAX_NAME = 100;

/** What mail programs turn into a link: an address with its scheme, or a domain. "St. John" and "Ph.D." are none. */
const WEB_ADDRESS =
  /:\/\/|\b[Ww]{3}\.|[\p{L}\p{N}]\.\p{L}{2,}[/:?#]|[\p{L}\p{N}]\.\p{Ll}{2,}|[\p{L}\p{N}]{2,}\.\p{Lu}{2,}/u;

/** A person's name heads mails and stands on pages: no line breaks, no characters that reorder text, no link. */
export const nameField = (max: number, description: string) =>
  textField(max, description)
    .trim()
    .refine((name) => !WEB_ADDRESS.test(name), 'must not hold a web address; write a space after a full stop')
    .refine((name) => !/\p{C}/u.test(name), 'must not hold control or invisible characters')
    .describe(description);

const names = {
  given_name: nameField(MAX_NAME, 'First name').meta({ example: 'Thandi' }),
  family_name: nameField(MAX_NAME, 'Last name').meta({ example: 'Nkosi' }),
};
const displayName = nameField(2 * MAX_NAME + 1, 'Full name as others see it; given_name and family_name by default');
const role = z
  .enum(ROLES)
  .describe(
    'owner: everything, other owners included. admin: everything but owners. member: daily work. auditor: reads only',
  );

export const UserId = idField('Id of the user (list-users has it)').meta({ example: 7 });

export const ListUsers = z.strictObject({
  status: z
    .enum(['active', 'inactive', 'all'])
    .default('active')
    .describe('active: users who may sign in; inactive: users who were deactivated; all: both'),
  role: role.optional().describe('Only users with this role').meta({ example: 'admin' }),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only users whose name or e-mail contains this text')
    .meta({ example: 'thandi' }),
  ...windowFields(100, 500),
});
export type ListUsersInput = z.output<typeof ListUsers>;

export const CreateUser = z.strictObject({
  email: emailField('E-mail address: the invitation goes there, and the user signs in with it').meta({
    example: 'pieter@acme.example',
  }),
  given_name: names.given_name,
  family_name: names.family_name,
  name: displayName.optional().meta({ example: 'Thandi Nkosi' }),
  role: role.default('member'),
});
export type CreateUserInput = z.output<typeof CreateUser>;

/** Any of these; at least one. */
export const UpdateUser = z.strictObject({
  given_name: names.given_name.optional(),
  family_name: names.family_name.optional(),
  name: displayName.optional(),
  picture: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .nullable()
    .optional()
    .describe('Address of a picture, https; null removes it')
    .meta({ example: 'https://acme.example/thandi.png' }),
  role: role.optional(),
  is_active: z.boolean().optional().describe('false: signs in no more, and the API keys of the user are turned off'),
});
export type UpdateUserInput = z.output<typeof UpdateUser>;

/** A user as those who manage users see it. */
export const AccountView = UserView.extend({
  invitation_expires_at: Moment.nullable().describe(
    'Until when the last invitation works, or worked; null: it was accepted, or there is none',
  ),
}).meta({ id: 'Account' });
export type AccountView = z.output<typeof AccountView>;

/** What stands beside a user who was invited. */
export const InvitationExtras = {
  invitation_url: z
    .string()
    .describe('Where the user chooses a password; in this answer, in the mail to the user, and nowhere else')
    .meta({ example: 'https://platform.example/invitation?token=svc_in_…' }),
};
