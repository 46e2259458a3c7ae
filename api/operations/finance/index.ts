import type { Operation } from '../../operation.ts';
import { auditorExportOperation } from './auditor-export.ts';
import { cancelFinanceDocumentOperation } from './cancel-finance-document.ts';
import { convertFinanceDocumentOperation } from './convert-finance-document.ts';
import { createFinanceDocumentOperation } from './create-finance-document.ts';
import { deleteFinanceDocumentOperation } from './delete-finance-document.ts';
import { generateFinanceDocumentPdfOperation } from './generate-finance-document-pdf.ts';
import { getAuditorExportOperation } from './get-auditor-export.ts';
import { getFinanceDocumentOperation } from './get-finance-document.ts';
import { issueFinanceDocumentOperation } from './issue-finance-document.ts';
import { listFinanceDocumentsOperations } from './list-finance-documents.ts';
import { updateFinanceDocumentOperation } from './update-finance-document.ts';

export const financeOperations: readonly Operation[] = [
  createFinanceDocumentOperation,
  updateFinanceDocumentOperation,
  getFinanceDocumentOperation,
  issueFinanceDocumentOperation,
  convertFinanceDocumentOperation,
  cancelFinanceDocumentOperation,
  deleteFinanceDocumentOperation,
  ...listFinanceDocumentsOperations,
  generateFinanceDocumentPdfOperation,
  auditorExportOperation,
  getAuditorExportOperation,
];
