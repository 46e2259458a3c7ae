import { AccountView, CreateUser, InvitationExtras } from '../../../domain/contracts/users.ts';
import { createUser } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const createUserOperation = operation({
  name: 'create-user',
  title: 'Add a user',
  description:
    'Adds a user and mails an invitation, by which the user chooses a password within 7 days. invitation_url is the same link, in this answer and nowhere else. For owners and admins; only an owner makes owners.',
  area: 'Users',
  scopes: null,
  input: CreateUser,
  output: AccountView,
  extras: InvitationExtras,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/users', auth: ['jwt'], status: 201 },
  errors: ['FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx, services }, input) => {
    const deps = { publicUrl: services.publicUrl, now: services.clock.now() };
    const { account, invitationUrl } = await createUser(tx, caller, input, deps);
    return { data: account, extras: { invitation_url: invitationUrl } };
  },
});
