import { CreateOAuthApplication, OAuthApplicationWithSecret } from '../../../domain/contracts/oauth.ts';
import { createApplication } from '../../../domain/oauth/index.ts';
import { operation } from '../../operation.ts';

export const createOAuthApplicationOperation = operation({
  name: 'create-oauth-application',
  title: 'Register an OAuth application',
  description:
    'Registers an OAuth application. The client_secret of a confidential one is in this answer and nowhere else. For owners and admins.',
  area: 'OAuth applications',
  scopes: null,
  input: CreateOAuthApplication,
  output: OAuthApplicationWithSecret,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/oauth/applications', auth: ['jwt'], status: 201 },
  errors: ['FORBIDDEN', 'TIER_RESTRICTED', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await createApplication(tx, caller, input, services.vault),
  }),
});
