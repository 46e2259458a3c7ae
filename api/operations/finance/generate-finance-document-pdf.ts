import { FinanceDocumentPdf, GenerateFinanceDocumentPdf } from '../../../domain/contracts/finance-pdf.ts';
import { generateFinanceDocumentPdf } from '../../../domain/finance/index.ts';
import { operation } from '../../operation.ts';
import { financeScopes } from './finance-scopes.ts';

export const generateFinanceDocumentPdfOperation = operation({
  name: 'generate-finance-document-pdf',
  title: 'Make a PDF of a finance document',
  description:
    'Returns a quote, invoice, credit note, bill, purchase order or delivery note as a PDF file in base64, ready to be sent: your name, the contact, the lines, tax per rate, totals and what is still due, over as many pages as it needs. A draft is marked as one: issue it with issue-finance-document first. Find the id with list-invoices, list-quotes and so on. The scope must be that of the document_type.',
  area: 'Finance',
  scopes: financeScopes('read'),
  input: GenerateFinanceDocumentPdf,
  output: FinanceDocumentPdf,
  effects: 'read',
  action: true,
  errors: ['TIER_RESTRICTED', 'NOT_FOUND'],
  run: async ({ caller, tx, services }, input) => ({
    data: await generateFinanceDocumentPdf(tx, caller, { input, now: services.clock.now() }),
  }),
});
