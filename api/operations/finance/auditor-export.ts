import { AuditorExportAnswer, AuditorExportRequest } from '../../../domain/contracts/auditor-export.ts';
import { runAuditorExport } from '../../finance/run-auditor-export.ts';
import { detachedOperation } from '../../operation.ts';

export const auditorExportOperation = detachedOperation({
  name: 'auditor-export',
  title: 'Export the books for an auditor',
  description:
    'Returns the issued finance documents of a period with their lines, the audit trail of documents and payments, and what is wrong: gaps in the numbering, edits after issue, sums and taxes that do not add up, duplicates, payments over the total, payments and credit notes that the document does not know, and whether the hash chain over the audit trail holds. Up to 10,000 documents. A period over 92 days may take longer than the 60 seconds that the call waits: then it answers 504 with the id by which get-auditor-export has it later. For owners, admins and auditors.',
  area: 'Finance',
  scopes: null,
  input: AuditorExportRequest,
  output: AuditorExportAnswer,
  effects: 'write',
  joinable: true,
  route: { method: 'post', path: '/api/v1/finance/auditor-export', auth: ['jwt'], shape: 'flat' },
  errors: ['FORBIDDEN', 'TIER_RESTRICTED', 'UNPROCESSABLE_ENTITY', 'GATEWAY_TIMEOUT'],
  run: (context, input) => runAuditorExport(context, input),
});
