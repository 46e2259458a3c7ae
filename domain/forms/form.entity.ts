import { defineEntity, p } from '@mikro-orm/core';
import type { FormField } from '../contracts/forms.ts';
import { column } from '../../platform/db/columns.ts';

/** A form that people fill in (spec, "Form configuration"). */
export const Form = defineEntity({
  name: 'Form',
  tableName: 'forms',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    form_key: p.text(),
    form_name: p.text(),
    description: p.text().nullable(),
    is_active: p.boolean().default(true),
    submission_count: p.integer().default(0),
    fields: p.json<FormField[]>(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'forms_key_unique', properties: ['client_id', 'form_key'] }],
});
