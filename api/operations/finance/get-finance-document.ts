import { FinanceDocumentRef, FinanceDocumentView } from '../../../domain/contracts/finance.ts';
import { getFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const getFinanceDocumentOperation = operation({
  name: 'get-finance-document',
  title: 'Get a finance document',
  description:
    'Returns one quote, invoice, credit note, bill, purchase order or delivery note with its lines, tax summary, totals and what is still due. Find its id with list-invoices, list-quotes and so on. The scope must be that of the document_type.',
  area: 'Finance',
  scopes: financeScopes('read'),
  input: FinanceDocumentRef,
  output: FinanceDocumentView,
  effects: 'read',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND'],
  run: async ({ caller, tx, services }, ref) => ({
    data: await getFinanceDocument(tx, caller, { ref, now: services.clock.now() }),
  }),
});
