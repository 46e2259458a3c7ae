import { z } from 'zod';
import { bigIdField, Moment, textField, windowFields } from './common.ts';

export const FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'date',
  'datetime',
  'email',
  'phone',
  'select',
  'multiselect',
  'checkbox',
  'file',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const key = (description: string) =>
  z
    .string()
    .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by _ or -')
    .max(100)
    .describe(description);

const FormKey = key('Key of the form, unique within the client').meta({ example: 'site-inspection' });

const fieldShape = {
  field_key: key('Key of the field, under which its value is sent').meta({ example: 'inspector' }),
  field_label: textField(200, 'What people read beside the field').meta({ example: 'Inspected by' }),
  field_type: z.enum(FIELD_TYPES).describe('Kind of value').meta({ example: 'text' }),
};

const NewField = z.strictObject({
  ...fieldShape,
  is_required: z.boolean().default(false).describe('Whether a submission must have a value'),
  options: z
    .array(textField(200, 'Option'))
    .max(500)
    .default([])
    .describe('The values to choose from: needed by select and multiselect, not allowed for others'),
});

const FormName = textField(200, 'Name of the form').meta({ example: 'Site inspection' });
const Description = textField(5_000, 'What the form is for').nullable();
const IsActive = z.boolean().describe('Whether it takes submissions');
const Fields = z.array(NewField).min(1).max(200);

export const CreateForm = z.strictObject({
  form_key: FormKey,
  form_name: FormName,
  description: Description.default(null),
  is_active: IsActive.default(true),
  fields: Fields.describe('The fields, in the order in which they are shown'),
});
export type CreateFormInput = z.output<typeof CreateForm>;

export const FormKeyRef = z.string().min(1).max(100).describe('Key of the form').meta({ example: 'site-inspection' });

export const UpdateForm = z.strictObject({
  form_key: FormKeyRef,
  form_name: FormName.optional(),
  description: Description.optional(),
  is_active: IsActive.optional(),
  fields: Fields.optional().describe(
    'All fields anew: those that are there are replaced. What was submitted so far stays as it is',
  ),
});
export type UpdateFormInput = z.output<typeof UpdateForm>;

const FieldView = z
  .object({ ...fieldShape, is_required: z.boolean(), options: z.array(z.string()) })
  .meta({ id: 'FormField' });
export type FormField = z.output<typeof FieldView>;

/** All of them, where there are not very many: the spec's list takes no window. */
export const ListForms = z.strictObject(windowFields(500, 500));

/** A form as every read shows it (spec, "Form configuration"). */
export const FormView = z
  .object({
    id: z.int(),
    form_key: z.string().meta({ example: 'site-inspection' }),
    form_name: z.string().meta({ example: 'Site inspection' }),
    description: z.string().nullable(),
    client_id: z.int(),
    is_active: z.boolean(),
    submission_count: z.int().describe('Submissions so far'),
    fields: z.array(FieldView),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Form' });
export type FormView = z.output<typeof FormView>;

export const SubmitForm = z.strictObject({
  form_key: FormKeyRef,
  data: z
    .record(z.string().max(100), z.unknown())
    .default({})
    .describe(
      'The values by field_key: text for text, textarea, phone, email and select; a number; an ISO 8601 date or datetime; a list of texts for multiselect; a boolean for checkbox; {file_name, content_base64} for file, up to 1 MiB. null counts as left out',
    )
    .meta({ example: { inspector: 'Thandi' } }),
});
export type SubmitFormInput = z.output<typeof SubmitForm>;

export const ListSubmissions = z.strictObject({ form_key: FormKeyRef, ...windowFields() });
export type ListSubmissionsInput = z.output<typeof ListSubmissions>;

export const SubmissionId = bigIdField('Id of the submission');

export const SubmissionView = z
  .object({
    id: z.int(),
    form_id: z.int(),
    form_key: z.string().meta({ example: 'site-inspection' }),
    client_id: z.int(),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'The values by field_key. A file is {file_name, size, sha256}; a single read also has its content_base64',
      )
      .meta({ example: { inspector: 'Thandi' } }),
    submitted_by: z.object({ type: z.string().meta({ example: 'user' }), id: z.string().meta({ example: '7' }) }),
    created_at: Moment,
  })
  .meta({ id: 'FormSubmission' });
export type SubmissionView = z.output<typeof SubmissionView>;
