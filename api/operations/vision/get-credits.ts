import { z } from 'zod';
import { CreditsResponse } from '../../../domain/contracts/vision-credits.ts';
import { creditAccount } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const getCreditsOperation = operation({
  name: 'get-credits',
  title: 'Get the credit balance',
  description:
    'Returns how many Document AI credits are left and were used, and the last bundle. Credits never expire.',
  area: 'Document AI',
  scopes: ['vision:usage'],
  input: z.strictObject({}),
  output: CreditsResponse,
  effects: 'read',
  route: visionRoute('credits', { method: 'get' }),
  run: async ({ tx }) => ({ data: await creditAccount(tx) }),
});
