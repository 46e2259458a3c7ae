import { z } from 'zod';
import { OAuthApplicationId, OAuthApplicationView } from '../../../domain/contracts/oauth.ts';
import { getApplication } from '../../../domain/oauth/index.ts';
import { operation } from '../../operation.ts';

export const getOAuthApplicationOperation = operation({
  name: 'get-oauth-application',
  title: 'Get an OAuth application',
  description: 'Returns one OAuth application, without its secret. For owners and admins.',
  area: 'OAuth applications',
  scopes: null,
  input: z.strictObject({ id: OAuthApplicationId }),
  output: OAuthApplicationView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/oauth/applications/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, { id }) => ({ data: await getApplication(tx, caller, id) }),
});
