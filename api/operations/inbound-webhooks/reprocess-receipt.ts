import { z } from 'zod';
import { InboundWebhookId, ReceiptId, ReceiptSummary } from '../../../domain/contracts/inbound-webhooks.ts';
import { getInboundWebhook, reprocessReceipt } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH } from './shared.ts';

export const reprocessReceiptOperation = operation({
  name: 'reprocess-inbound-receipt',
  title: 'Process a failed call again',
  description:
    'Takes up a failed receipt once more, after what stood in its way is gone (the invoice was issued, credits were bought). Returns it as received; get-inbound-receipt shows how it ends. A call whose body was refused can only be sent again by its sender.',
  area: AREA,
  scopes: ['webhooks:write'],
  input: z.strictObject({ id: InboundWebhookId, receipt_id: ReceiptId }),
  output: ReceiptSummary,
  effects: 'write',
  route: {
    method: 'post',
    path: `${PATH}/{id}/receipts/{receipt_id}/reprocess`,
    auth: ['jwt'],
    params: ['id', 'receipt_id'],
    status: 202,
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller }, { id, receipt_id }) => {
    await getInboundWebhook(tx, caller, id);
    return { data: await reprocessReceipt(tx, caller, id, receipt_id) };
  },
});
