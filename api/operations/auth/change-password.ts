import { changePassword } from '../../../domain/auth/index.ts';
import { ChangePassword, TokenSet } from '../../../domain/contracts/auth.ts';
import { userChanged } from '../../access-changed.ts';
import { detachedOperation } from '../../operation.ts';

export const changePasswordOperation = detachedOperation({
  name: 'change-password',
  title: 'Change your password',
  description:
    'Sets a new password and answers with a new session. All other sessions, signed-in pages and OAuth tokens of yours end at once.',
  area: 'Authentication',
  scopes: null,
  input: ChangePassword,
  output: TokenSet,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/auth/change-password', auth: ['jwt'] },
  errors: ['FORBIDDEN'],
  run: async ({ services, caller }, input) => ({
    data: await changePassword({ ...services, now: services.clock.now() }, caller, input),
    afterCommit: () => userChanged(services, Number(caller.userId)),
  }),
});
