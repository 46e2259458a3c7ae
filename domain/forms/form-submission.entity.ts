import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One filled-in form. */
export const FormSubmission = defineEntity({
  name: 'FormSubmission',
  tableName: 'form_submissions',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    form_id: p.integer(),
    data: p.json<Record<string, unknown>>(),
    /** Base64 of the files by field, beside the data: lists needn't read them. */
    files: p.json<Record<string, string>>().nullable(),
    submitted_by_type: p.text(),
    submitted_by_id: p.text(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'form_submissions_form_index', properties: ['client_id', 'form_id', 'id'] }],
});
