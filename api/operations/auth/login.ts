import { login } from '../../../domain/auth/index.ts';
import { Login, TokenSet } from '../../../domain/contracts/auth.ts';
import { openOperation } from '../../operation.ts';

export const loginOperation = openOperation({
  name: 'login',
  title: 'Sign in',
  description:
    'Exchanges an e-mail address and a password for an access token (15 minutes) and a refresh token (30 days).',
  area: 'Authentication',
  scopes: null,
  input: Login,
  output: TokenSet,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/auth/login', auth: [] },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
  run: async ({ services, request }, input) => ({
    data: await login({ ...services, now: services.clock.now() }, { ...input, address: request.address }),
  }),
});
