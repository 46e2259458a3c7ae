import { ConvertFinanceDocument, FinanceDocumentView } from '../../../domain/contracts/finance.ts';
import { convertFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const convertFinanceDocumentOperation = operation({
  name: 'convert-finance-document',
  title: 'Convert a finance document',
  description:
    'Makes a draft of another type from an issued document, with its contact, lines and prices: quote to invoice or purchase_order, invoice to credit_note or delivery_note, purchase_order to bill. Returns the new draft; issue-finance-document makes it final. Once per target type: a second time is 409 CONFLICT with the id of the existing document in details. Needs the read scope of the source type and the write scope of the target type; both types must be in your finance tier.',
  area: 'Finance',
  scopes: financeScopes('write', ['invoice', 'purchase_order', 'credit_note', 'delivery_note', 'bill']),
  input: ConvertFinanceDocument,
  output: FinanceDocumentView,
  effects: 'write',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await convertFinanceDocument(tx, caller, { input, now: services.clock.now() }),
  }),
});
