import { z } from 'zod';
import { AccountView, InvitationExtras, UserId } from '../../../domain/contracts/users.ts';
import { inviteUser } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const inviteUserOperation = operation({
  name: 'invite-user',
  title: 'Invite a user again',
  description:
    'Mails a new invitation, for a user who has not accepted the last one or has lost the password; the former one ends. A password that is there works until the user chooses another. invitation_url is the link; it is not in the answer, but in the mail alone, for somebody who has a password, if a mail server is set up. For owners and admins; only an owner invites owners.',
  area: 'Users',
  scopes: null,
  input: z.strictObject({ user_id: UserId }),
  output: AccountView,
  extras: { invitation_url: InvitationExtras.invitation_url.optional() },
  effects: 'write',
  route: { method: 'post', path: '/api/v1/users/{user_id}/invite', auth: ['jwt'], params: ['user_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, { user_id }) => {
    const sendsMail = services.config.SMTP_URL !== undefined;
    const deps = { publicUrl: services.publicUrl, now: services.clock.now(), sendsMail };
    const { account, invitationUrl } = await inviteUser(tx, caller, user_id, deps);
    return { data: account, extras: invitationUrl === undefined ? {} : { invitation_url: invitationUrl } };
  },
});
