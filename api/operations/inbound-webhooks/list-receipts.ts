import { z } from 'zod';
import { InboundWebhookId, ListReceipts, ReceiptSummary } from '../../../domain/contracts/inbound-webhooks.ts';
import { getInboundWebhook, listReceipts } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA, PATH } from './shared.ts';

export const listReceiptsOperation = operation({
  name: 'list-inbound-receipts',
  title: 'List the calls to an inbound webhook',
  description:
    'Lists what was posted to an inbound webhook in the last 90 days, newest first, with what became of it. Calls that could not prove where they came from are not kept.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: ListReceipts.extend({ id: InboundWebhookId }),
  output: z.array(ReceiptSummary),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: `${PATH}/{id}/receipts`, auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, ...wanted }) => {
    await getInboundWebhook(tx, caller, id);
    const { receipts, pagination } = await listReceipts(tx, id, wanted);
    return { data: receipts, pagination };
  },
});
