export { cancelFinanceDocument } from './cancel-document.service.ts';
export { deleteFinanceDocument, updateFinanceDocument } from './change-draft.service.ts';
export { convertFinanceDocument } from './convert-document.service.ts';
export { createFinanceDocument } from './create-document.service.ts';
export { getFinanceDocument } from './find.ts';
export { addPage, compose } from './export/compose.ts';
export type { ReadContent } from './export/compose.ts';
export { checkMayAudit, exportOptions, isDirect } from './export/export-scope.ts';
export {
  completeExport,
  exportNow,
  failExport,
  getExport,
  openExport,
  recordExportProgress,
} from './export/exports.service.ts';
export type { AuditorExportRow } from './export/exports.service.ts';
export { exportFolder, purgeExports } from './export/purge-exports.ts';
export { readDocuments } from './export/read-documents.ts';
export type { DocumentCursor, DocumentsPage } from './export/read-documents.ts';
export { readTrail } from './export/read-trail.ts';
export type { TrailPage } from './export/read-trail.ts';
export { generateFinanceDocumentPdf } from './pdf/generate-pdf.service.ts';
export { issueFinanceDocument } from './issue-document.service.ts';
export { listFinanceDocuments } from './list-documents.service.ts';
export { getPayment, listPayments } from './payment-reads.ts';
export { recordFinancePayment, recordPendingPayment } from './payments.service.ts';
export { refundPayment } from './refund-payment.service.ts';
export { findDocumentByNumber } from './find.ts';
