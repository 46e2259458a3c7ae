import { defineEntity, p } from '@mikro-orm/core';
import type { AuditorExportOptions } from '../../contracts/auditor-export.ts';
import { column } from '../../../platform/db/columns.ts';

/**
 * An auditor export that runs as a workflow: `status` queued → running → completed | failed. The bundle itself lies in
 * the blob store.
 */
export const AuditorExport = defineEntity({
  name: 'AuditorExport',
  tableName: 'auditor_exports',
  properties: {
    export_id: p.uuid().primary(),
    client_id: column.clientId(),
    status: p.text().default('queued'),
    options: p.json<AuditorExportOptions>(),
    actor_type: p.text(),
    actor_id: p.text(),
    documents_done: p.integer().default(0),
    blob: p.text().nullable(),
    sha256: p.text().nullable(),
    error_code: p.text().nullable(),
    error_message: p.text().nullable(),
    created_at: column.createdAt(),
    finished_at: column.moment().nullable(),
  },
  indexes: [
    { name: 'auditor_exports_client_index', properties: ['client_id', 'created_at'] },
    { name: 'auditor_exports_age_index', properties: ['created_at'] },
  ],
});
