import { z } from 'zod';
import { OAuthApplicationView } from '../../../domain/contracts/oauth.ts';
import { listApplications } from '../../../domain/oauth/index.ts';
import { operation } from '../../operation.ts';

export const listOAuthApplicationsOperation = operation({
  name: 'list-oauth-applications',
  title: 'List OAuth applications',
  description: 'Lists the OAuth applications of your client, newest first. For owners and admins.',
  area: 'OAuth applications',
  scopes: null,
  input: z.strictObject({}),
  output: z.array(OAuthApplicationView),
  effects: 'read',
  route: { method: 'get', path: '/api/v1/oauth/applications', auth: ['jwt'] },
  errors: ['FORBIDDEN'],
  run: async ({ caller, tx }) => ({ data: await listApplications(tx, caller) }),
});
