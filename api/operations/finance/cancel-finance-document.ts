import { CancelFinanceDocument, FinanceDocumentView } from '../../../domain/contracts/finance.ts';
import { cancelFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const cancelFinanceDocumentOperation = operation({
  name: 'cancel-finance-document',
  title: 'Cancel an issued finance document',
  description:
    'Calls off an issued quote, purchase order, delivery note or unpaid bill; it keeps its number. An invoice is cancelled by a credit note instead (convert-finance-document, then issue-finance-document), a draft by delete-finance-document. The scope must be that of the document_type.',
  area: 'Finance',
  scopes: financeScopes('write'),
  input: CancelFinanceDocument,
  output: FinanceDocumentView,
  effects: 'destructive',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => ({
    data: await cancelFinanceDocument(tx, caller, { input, now: services.clock.now() }),
  }),
});
