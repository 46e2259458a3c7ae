import { z } from 'zod';
import { OAuthApplicationId, OAuthApplicationWithSecret } from '../../../domain/contracts/oauth.ts';
import { rotateSecret } from '../../../domain/oauth/index.ts';
import { applicationChanged } from '../../oauth/changed.ts';
import { operation } from '../../operation.ts';

export const rotateOAuthSecretOperation = operation({
  name: 'rotate-oauth-secret',
  title: 'Rotate the secret of an OAuth application',
  description:
    'Gives a confidential OAuth application a new client_secret; the old one stops at once, issued tokens live on. For owners and admins.',
  area: 'OAuth applications',
  scopes: null,
  input: z.strictObject({ id: OAuthApplicationId }),
  output: OAuthApplicationWithSecret,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/oauth/applications/{id}/rotate-secret', auth: ['jwt'], params: ['id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, { id }) => ({
    data: await rotateSecret(tx, caller, id, services.vault),
    afterCommit: () => applicationChanged(services, id),
  }),
});
