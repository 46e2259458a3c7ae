import { z } from 'zod';
import { logout } from '../../../domain/auth/index.ts';
import { Refresh } from '../../../domain/contracts/auth.ts';
import { detachedOperation } from '../../operation.ts';

export const logoutOperation = detachedOperation({
  name: 'logout',
  title: 'Sign out',
  description: 'Ends the session that a refresh token belongs to.',
  area: 'Authentication',
  scopes: null,
  input: Refresh,
  output: z.object({ signed_out: z.literal(true) }),
  effects: 'write',
  route: { method: 'post', path: '/api/v1/auth/logout', auth: ['jwt'] },
  run: async ({ services, caller }, input) => {
    await logout({ ...services, now: services.clock.now() }, Number(caller.actor.id), input.refresh_token);
    return { data: { signed_out: true as const } };
  },
});
