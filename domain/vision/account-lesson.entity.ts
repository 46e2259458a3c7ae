import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** The account that a person chose for one line of a document: what later suggestions learn from. */
export const AccountLesson = defineEntity({
  name: 'AccountLesson',
  tableName: 'account_lessons',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    request_id: p.uuid(),
    document_index: p.integer(),
    /** Where it was taught, and is applied: the sandbox's apart from all others. */
    environment: p.text().default('production'),
    line: p.integer(),
    description: p.text(),
    vendor: p.text().nullable(),
    gl_code: p.text(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'account_lessons_line_unique', properties: ['client_id', 'request_id', 'document_index', 'line'] }],
  indexes: [{ name: 'account_lessons_client_index', properties: ['client_id', 'updated_at'] }],
});
