import { PurchaseCredits, PurchaseResponse } from '../../../domain/contracts/vision-credits.ts';
import { purchaseCredits } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';

export const purchaseCreditsOperation = operation({
  name: 'purchase-credits',
  title: 'Buy credits',
  description:
    'Grants a bundle of Document AI credits at once and records a pending payment for it. For owners and admins.',
  area: 'Document AI',
  scopes: null,
  input: PurchaseCredits,
  output: PurchaseResponse,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/vision/credits/purchase', auth: ['jwt'], shape: 'flat', status: 201 },
  errors: ['FORBIDDEN'],
  run: async ({ tx, caller, services }, { bundle }) => ({
    data: await purchaseCredits(tx, caller, { bundle, now: services.clock.now() }),
  }),
});
