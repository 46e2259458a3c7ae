import { refresh } from '../../../domain/auth/index.ts';
import { Refresh, TokenSet } from '../../../domain/contracts/auth.ts';
import { openOperation } from '../../operation.ts';

export const refreshOperation = openOperation({
  name: 'refresh',
  title: 'Refresh an access token',
  description:
    'Swaps a refresh token for a new token set. Each refresh token works once; using one twice ends the session.',
  area: 'Authentication',
  scopes: null,
  input: Refresh,
  output: TokenSet,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/auth/refresh', auth: [] },
  errors: ['UNAUTHORIZED'],
  run: async ({ services }, input) => ({
    data: await refresh({ ...services, now: services.clock.now() }, input.refresh_token),
  }),
});
