import { CurrentUser, GetCurrentUser } from '../../../domain/contracts/current-user.ts';
import { getCurrentUser } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getCurrentUserOperation = operation({
  name: 'get-current-user',
  title: 'Show who I am',
  description:
    'Returns the user to whom the API key belongs (user_id, employee_id, name), the client with its time zone, currency and country, the scopes of the key, and the present time and day there. Call it first where a request says "me", "my" or "today", or where an amount or a time of day has no currency or zone.',
  area: 'People',
  scopes: null,
  input: GetCurrentUser,
  output: CurrentUser,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx, services }) => ({ data: await getCurrentUser(tx, caller, services.clock.now()) }),
});
