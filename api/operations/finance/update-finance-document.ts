import { FinanceDocumentView, UpdateFinanceDocument } from '../../../domain/contracts/finance.ts';
import { updateFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const updateFinanceDocumentOperation = operation({
  name: 'update-finance-document',
  title: 'Change a draft finance document',
  description:
    'Changes the fields that you give of a draft and leaves the others; lines, when given, replace all lines. Returns the whole document. An issued document can not be changed (409 CONFLICT): an invoice is corrected by a credit note (convert-finance-document). The scope must be that of the document_type.',
  area: 'Finance',
  scopes: financeScopes('write'),
  input: UpdateFinanceDocument,
  output: FinanceDocumentView,
  effects: 'write',
  idempotent: true,
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await updateFinanceDocument(tx, caller, { input, now: services.clock.now() }),
  }),
});
