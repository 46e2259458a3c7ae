import { z } from 'zod';
import { RateLimitTierView } from '../../../domain/contracts/api-keys.ts';
import { rateLimitTier } from '../../../domain/tenancy/index.ts';
import { operation } from '../../operation.ts';

export const getRateLimitTierOperation = operation({
  name: 'get-rate-limit-tier',
  title: 'Get the rate-limit tier',
  description: 'Returns what the platform tier of the client allows: requests a minute, bursts, and active API keys.',
  area: 'API keys',
  scopes: null,
  input: z.strictObject({}),
  output: RateLimitTierView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/integrations/rate-limit-tier', auth: ['jwt'] },
  run: ({ caller }) => Promise.resolve({ data: rateLimitTier(caller.client) }),
});
