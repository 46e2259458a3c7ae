import { CreateFinanceDocument, FinanceDocumentView } from '../../../domain/contracts/finance.ts';
import { createFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const createFinanceDocumentOperation = operation({
  name: 'create-finance-document',
  title: 'Create a finance document',
  description:
    'Makes a draft quote, invoice, credit note, bill, purchase order or delivery note and computes its totals from the lines: each line is rounded to the minor unit, tax is computed per rate. Find the contact with list-contacts first. A draft has no number; issue-finance-document gives it one and makes it final. The scope must be that of the document_type (invoices:write for an invoice), and the type must be in your finance tier.',
  area: 'Finance',
  scopes: financeScopes('write'),
  input: CreateFinanceDocument,
  output: FinanceDocumentView,
  effects: 'write',
  action: true,
  errors: ['TIER_RESTRICTED', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await createFinanceDocument(tx, caller, { input, now: services.clock.now() }),
  }),
});
