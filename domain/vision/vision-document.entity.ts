import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * One document that was extracted: what the usage statistics are counted from. It outlives the result, which is erased
 * when its time is over, and holds nothing that the document said.
 */
export const VisionDocument = defineEntity({
  name: 'VisionDocument',
  tableName: 'vision_documents',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    request_id: p.uuid(),
    index: p.integer(),
    /** Of its call: what was done in the sandbox is counted apart. */
    environment: p.text().default('production'),
    document_type: p.text(),
    type_confidence: p.float().columnType('real'),
    fields: p.integer(),
    avg_confidence: p.float().columnType('real').nullable(),
    min_confidence: p.float().columnType('real').nullable(),
    has_failed_check: p.boolean(),
    corrected_at: column.moment().nullable(),
    /** The newest calls that corrected it: one that is sent again changes nothing. */
    correction_ids: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'vision_documents_client_index', properties: ['client_id', 'created_at'] }],
  uniques: [{ name: 'vision_documents_index_unique', properties: ['client_id', 'request_id', 'index'] }],
});
