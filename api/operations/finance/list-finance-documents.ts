import { z } from 'zod';
import {
  DOCUMENT_TYPES,
  FinanceDocumentSummary,
  ListFinanceDocuments,
  ListOwedDocuments,
} from '../../../domain/contracts/finance.ts';
import type { DocumentType } from '../../../domain/contracts/finance.ts';
import { listFinanceDocuments } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import type { TenantOperation } from '../../operation.ts';

/** list-quotes, list-invoices and so on: one operation for each type. */
export const listFinanceDocumentsOperations: readonly TenantOperation[] = DOCUMENT_TYPES.map(listOf);

function listOf(type: DocumentType): TenantOperation {
  const plural = `${type}s`;
  const words = plural.replaceAll('_', ' ');
  const whose = type === 'bill' || type === 'purchase_order' ? 'supplier' : 'customer';
  return operation({
    name: `list-${plural.replaceAll('_', '-')}`,
    title: `List ${words}`,
    description: `Lists ${words} without their lines, newest first, optionally only those with one status, of one ${whose}, dated within a range, or with a text in their number, contact name or reference. get-finance-document returns one with its lines.`,
    area: 'Finance',
    scopes: [`${plural}:read`],
    input: type === 'invoice' || type === 'bill' ? ListOwedDocuments : ListFinanceDocuments,
    output: z.object({ [plural]: z.array(FinanceDocumentSummary) }),
    paginated: true,
    effects: 'read',
    action: true,
    errors: ['TIER_RESTRICTED'],
    run: async ({ caller, tx, services }, input) => {
      const { documents, pagination } = await listFinanceDocuments(tx, caller, {
        type,
        input,
        now: services.clock.now(),
      });
      return { data: { [plural]: documents }, pagination };
    },
  });
}
