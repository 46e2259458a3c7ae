import { DeletedFinanceDocument, FinanceDocumentRef } from '../../../domain/contracts/finance.ts';
import { deleteFinanceDocument } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const deleteFinanceDocumentOperation = operation({
  name: 'delete-finance-document',
  title: 'Delete a draft finance document',
  description:
    'Deletes a draft for good. An issued document stays (409 CONFLICT): cancel-finance-document calls off a quote, purchase order, delivery note or bill, a credit note undoes an invoice. The scope must be that of the document_type.',
  area: 'Finance',
  scopes: financeScopes('write'),
  input: FinanceDocumentRef,
  output: DeletedFinanceDocument,
  effects: 'destructive',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, ref) => {
    await deleteFinanceDocument(tx, caller, { ref, now: services.clock.now() });
    return { data: { id: ref.document_id, deleted: true } };
  },
});
