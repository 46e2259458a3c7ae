import { z } from 'zod';
import { currentUser } from '../../../domain/auth/index.ts';
import { UserView } from '../../../domain/contracts/auth.ts';
import { detachedOperation } from '../../operation.ts';

export const meOperation = detachedOperation({
  name: 'me',
  title: 'Show the signed-in user',
  description: 'Returns the user that the access token belongs to.',
  area: 'Authentication',
  scopes: null,
  input: z.strictObject({}),
  output: UserView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/auth/me', auth: ['jwt'] },
  run: async ({ services, caller }) => ({
    data: await currentUser({ ...services, now: services.clock.now() }, caller.clientId, Number(caller.actor.id)),
  }),
});
