import { GetUsage, UsageResponse } from '../../../domain/contracts/vision-credits.ts';
import { usageOf } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const getUsageOperation = operation({
  name: 'get-usage',
  title: 'Get usage statistics',
  description:
    'Returns what Document AI did between two days of the client’s time zone: documents, credits, time, confidence by document type and by week, and the share that went straight through (no field below 0.80, no failed check, no later correction).',
  area: 'Document AI',
  scopes: ['vision:usage'],
  input: GetUsage,
  output: UsageResponse,
  effects: 'read',
  route: visionRoute('usage', { method: 'get' }),
  run: async ({ tx, caller, services }, input) => ({
    data: await usageOf(tx, caller, { input, now: services.clock.now() }),
  }),
});
