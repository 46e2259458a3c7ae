import { z } from 'zod';
import { OAuthApplicationId, OAuthApplicationView } from '../../../domain/contracts/oauth.ts';
import { deleteApplication } from '../../../domain/oauth/index.ts';
import { applicationChanged } from '../../oauth/changed.ts';
import { operation } from '../../operation.ts';

export const deleteOAuthApplicationOperation = operation({
  name: 'delete-oauth-application',
  title: 'Delete an OAuth application',
  description: 'Deletes an OAuth application; every token that was issued to it ends at once. For owners and admins.',
  area: 'OAuth applications',
  scopes: null,
  input: z.strictObject({ id: OAuthApplicationId }),
  output: OAuthApplicationView,
  effects: 'destructive',
  route: { method: 'delete', path: '/api/v1/oauth/applications/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx, services }, { id }) => ({
    data: await deleteApplication(tx, caller, id),
    afterCommit: () => applicationChanged(services, id),
  }),
});
