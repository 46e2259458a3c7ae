import { z } from 'zod';
import { InboundWebhookId, ReceiptDetail, ReceiptId } from '../../../domain/contracts/inbound-webhooks.ts';
import { getInboundWebhook, getReceipt } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH } from './shared.ts';

export const getReceiptOperation = operation({
  name: 'get-inbound-receipt',
  title: 'Get a call to an inbound webhook',
  description: 'Returns one call as it came (headers without secrets, raw body) and what processing it led to.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: z.strictObject({ id: InboundWebhookId, receipt_id: ReceiptId }),
  output: ReceiptDetail,
  effects: 'read',
  route: {
    method: 'get',
    path: `${PATH}/{id}/receipts/{receipt_id}`,
    auth: ['jwt'],
    params: ['id', 'receipt_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, receipt_id }) => {
    const [, receipt] = await Promise.all([getInboundWebhook(tx, caller, id), getReceipt(tx, id, receipt_id)]);
    return { data: receipt };
  },
});
