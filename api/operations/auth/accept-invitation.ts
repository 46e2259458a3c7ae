import { acceptInvitation } from '../../../domain/auth/index.ts';
import { AcceptedInvitation, AcceptInvitation } from '../../../domain/contracts/auth.ts';
import { userChanged } from '../../access-changed.ts';
import { openOperation } from '../../operation.ts';

export const acceptInvitationOperation = openOperation({
  name: 'accept-invitation',
  title: 'Accept an invitation',
  description:
    'Sets the password of whoever got an invitation, or a link for a lost password, by the token in it. Everything that was signed in as the user ends; nothing is signed in: login does that. A token that is unknown, was used, or has expired is 401, and counts as a failed sign-in of its network address.',
  area: 'Authentication',
  scopes: null,
  input: AcceptInvitation,
  output: AcceptedInvitation,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/auth/accept-invitation', auth: [] },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
  run: async ({ services, request: { address } }, input) => {
    const { userId, email } = await acceptInvitation(services.system, { ...input, address, now: services.clock.now() });
    await userChanged(services, userId);
    return { data: { email } };
  },
});
