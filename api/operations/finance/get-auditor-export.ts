import { AuditorExportRef, AuditorExportStatus } from '../../../domain/contracts/auditor-export.ts';
import { checkMayAudit, getExport } from '../../../domain/finance/index.ts';
import { bundleIn } from '../../finance/run-auditor-export.ts';
import { operation } from '../../operation.ts';

export const getAuditorExportOperation = operation({
  name: 'get-auditor-export',
  title: 'Get an auditor export',
  description:
    'Returns an auditor export that took longer than its call waited: 202 with how far it is, then 200 with the bundle. A failed one answers with its error. For owners, admins and auditors.',
  area: 'Finance',
  scopes: null,
  input: AuditorExportRef,
  output: AuditorExportStatus,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/finance/auditor-export/{export_id}',
    auth: ['jwt'],
    params: ['export_id'],
    shape: 'flat',
    otherStatuses: [202],
  },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, { export_id }) => {
    checkMayAudit(caller);
    const row = await getExport(tx, export_id);
    const { status, documents_done } = row;
    if (status === 'queued' || status === 'running')
      return { data: { export_id, status, documents_done }, status: 202 };
    const bundle = await bundleIn(services, row);
    return { data: { export_id, status: 'completed' as const, documents_done, bundle } };
  },
});
