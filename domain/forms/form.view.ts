import { isoMoment } from '../contracts/common.ts';
import type { FormField, FormView, SubmissionView } from '../contracts/forms.ts';

/** The columns that {@link formOf} turns into the wire form. */
export const FORM_COLUMNS = `id, form_key, form_name, description, client_id, is_active, submission_count, fields,
  created_at, updated_at`;

export type FormRow = Omit<FormView, 'created_at' | 'updated_at'> & {
  fields: FormField[];
  created_at: Date;
  updated_at: Date;
};

export function formOf(row: FormRow): FormView {
  return {
    id: row.id,
    form_key: row.form_key,
    form_name: row.form_name,
    description: row.description,
    client_id: row.client_id,
    is_active: row.is_active,
    submission_count: row.submission_count,
    fields: row.fields,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

/** The columns that {@link submissionOf} turns into the wire form. */
export const SUBMISSION_COLUMNS = 'id, form_id, client_id, data, submitted_by_type, submitted_by_id, created_at';

export interface SubmissionRow extends Record<string, unknown> {
  id: number;
  form_id: number;
  client_id: number;
  data: Record<string, unknown>;
  submitted_by_type: string;
  submitted_by_id: string;
  created_at: Date;
}

export function submissionOf(row: SubmissionRow, formKey: string): SubmissionView {
  return {
    id: row.id,
    form_id: row.form_id,
    form_key: formKey,
    client_id: row.client_id,
    data: row.data,
    submitted_by: { type: row.submitted_by_type, id: row.submitted_by_id },
    created_at: isoMoment(row.created_at),
  };
}
