import { z } from 'zod';
import { forgotPassword } from '../../../domain/auth/index.ts';
import { ForgotPassword } from '../../../domain/contracts/auth.ts';
import { openOperation } from '../../operation.ts';

export const forgotPasswordOperation = openOperation({
  name: 'forgot-password',
  title: 'Ask for a new password',
  description:
    'Mails a link by which the user chooses a new password within an hour; accept-invitation takes its token. The answer is the same whether or not there is such a user. At most 5 mails go to one address in an hour, and a network address that asks for more than 20 is refused.',
  area: 'Authentication',
  scopes: null,
  input: ForgotPassword,
  output: z.object({ accepted: z.literal(true) }),
  effects: 'write',
  route: { method: 'post', path: '/api/v1/auth/forgot-password', auth: [], status: 202 },
  errors: ['RATE_LIMITED'],
  run: async ({ services, request: { address } }, { email }) => {
    await forgotPassword({ ...services, now: services.clock.now() }, { email, address });
    return { data: { accepted: true as const } };
  },
});
