import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * What the corrections of one document taught: how to find the corrected fields in the next document of the same issuer. It
 * outlives the result, whose retention is short, and holds no more of the document than that takes.
 */
export const VisionLesson = defineEntity({
  name: 'VisionLesson',
  tableName: 'vision_lessons',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    request_id: p.uuid(),
    document_index: p.integer(),
    /** Where it was taught, and is applied: the sandbox's apart from all others. */
    environment: p.text().default('production'),
    document_type: p.text(),
    issuer_keys: p.array().columnType('text[]'),
    lesson: p.json<Record<string, unknown>>(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'vision_lessons_document_unique', properties: ['client_id', 'request_id', 'document_index'] }],
  indexes: [{ name: 'vision_lessons_client_index', properties: ['client_id', 'updated_at'] }],
});
