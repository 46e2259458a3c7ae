import { FinanceDocumentRef, FinanceDocumentView } from '../../../domain/contracts/finance.ts';
import { issueFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const issueFinanceDocumentOperation = operation({
  name: 'issue-finance-document',
  title: 'Issue a finance document',
  description:
    'Makes a draft final: it gets the next number of its type (INV-000001, without gaps) and the contact’s details of this moment, and can not be changed after that. An issued credit note with an invoice_id takes its total off the amount due of the invoice. Returns the document. A document that is issued already is 409 CONFLICT. The scope must be that of the document_type.',
  area: 'Finance',
  scopes: financeScopes('write'),
  input: FinanceDocumentRef,
  output: FinanceDocumentView,
  effects: 'write',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, ref) => ({
    data: await issueFinanceDocument(tx, caller, { ref, now: services.clock.now() }),
  }),
});
