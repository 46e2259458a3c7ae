import { OAuthApplicationId, OAuthApplicationView, UpdateOAuthApplication } from '../../../domain/contracts/oauth.ts';
import { updateApplication } from '../../../domain/oauth/index.ts';
import { applicationChanged } from '../../oauth/changed.ts';
import { operation } from '../../operation.ts';

export const updateOAuthApplicationOperation = operation({
  name: 'update-oauth-application',
  title: 'Change an OAuth application',
  description:
    'Changes the given fields of an OAuth application. Scopes taken away end in its tokens at once; is_active false stops it and all its tokens. For owners and admins.',
  area: 'OAuth applications',
  scopes: null,
  input: UpdateOAuthApplication.extend({ id: OAuthApplicationId }),
  output: OAuthApplicationView,
  effects: 'write',
  route: { method: 'patch', path: '/api/v1/oauth/applications/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'TIER_RESTRICTED'],
  run: async ({ caller, tx, services }, { id, ...input }) => ({
    data: await updateApplication(tx, caller, id, input),
    afterCommit: () => applicationChanged(services, id),
  }),
});
