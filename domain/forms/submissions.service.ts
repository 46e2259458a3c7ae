import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ListSubmissionsInput, SubmissionView, SubmitFormInput } from '../contracts/forms.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { FORM_COLUMNS, formOf, SUBMISSION_COLUMNS, submissionOf } from './form.view.ts';
import type { FormRow, SubmissionRow } from './form.view.ts';
import { fill } from './values.ts';

const FIND_FORM = statement(`select ${FORM_COLUMNS} from forms where client_id = $1 and form_key = $2`);
const COUNT_UP = statement(`
  update forms set submission_count = submission_count + 1 where client_id = $1 and id = $2 and is_active
  returning ${FORM_COLUMNS}`);
const INSERT = statement(`
  insert into form_submissions (client_id, form_id, data, files, submitted_by_type, submitted_by_id)
  values ($1, $2, $3, $4, $5, $6) returning ${SUBMISSION_COLUMNS}`);
const LIST = statement(`
  select ${SUBMISSION_COLUMNS} from form_submissions where client_id = $1 and form_id = $2
  order by id desc limit $3 offset $4`);
const COUNT = statement(`
  select count(*) as total from (
    select from form_submissions where client_id = $1 and form_id = $2 limit ${String(MAX_COUNTED + 1)}) counted`);
const GET = statement(`
  select ${SUBMISSION_COLUMNS}, files from form_submissions where client_id = $1 and form_id = $2 and id = $3`);

/** Takes a filled-in form, and counts it; the values must fit the form's fields. */
export async function submitForm(
  tx: TenantTransaction,
  caller: Caller,
  { form_key, data: values }: SubmitFormInput,
): Promise<SubmissionView> {
  const found = await findForm(tx, form_key);
  if (!found.is_active) throw closed(form_key);
  const { data, files } = fill(found.fields, values);
  const { type, id } = caller.actor;
  const file = files === null ? null : JSON.stringify(files);
  // Counting locks the form's row: as late as can be, so that submissions at the same time wait for each other least.
  const [[row], [counted]] = await Promise.all([
    tx.query<SubmissionRow>(INSERT, [tx.clientId, found.id, JSON.stringify(data), file, type, id]),
    tx.query<FormRow>(COUNT_UP, [tx.clientId, found.id]),
  ]);
  if (counted === undefined) throw closed(form_key);
  if (row === undefined) throw new Error('a submission was not kept');
  const submission = submissionOf(row, form_key);
  audit(tx, caller, { action: 'form.submitted', subjectType: 'form_submission', subjectId: String(row.id) });
  recordEvent(tx, { name: 'form.submitted', data: { form: formOf(counted), submission } });
  return submission;
}

/** Newest first. */
export async function listSubmissions(
  tx: TenantTransaction,
  { form_key, limit, offset }: ListSubmissionsInput,
): Promise<{ submissions: SubmissionView[]; pagination: Page }> {
  const { id } = await findForm(tx, form_key);
  const [rows, [counted]] = await Promise.all([
    tx.query<SubmissionRow>(LIST, [tx.clientId, id, limit, offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, id]),
  ]);
  return {
    submissions: rows.map((row) => submissionOf(row, form_key)),
    pagination: pageOf(counted?.total ?? 0, { limit, offset }),
  };
}

/** One submission, with the contents of its files. */
export async function getSubmission(tx: TenantTransaction, formKey: string, id: number): Promise<SubmissionView> {
  const form = await findForm(tx, formKey);
  const [row] = await tx.query<SubmissionRow & { files: Record<string, string> | null }>(GET, [
    tx.clientId,
    form.id,
    id,
  ]);
  if (row === undefined) throw ApiError.notFound('submission', id);
  const data = Object.entries(row.data).map(([key, value]): [string, unknown] => {
    const content = row.files?.[key];
    return [key, content === undefined ? value : { ...(value as object), content_base64: content }];
  });
  return submissionOf({ ...row, data: Object.fromEntries(data) }, formKey);
}

/** Also for one that was closed while it was being filled in. */
function closed(formKey: string): ApiError {
  return ApiError.unprocessable(`The form ${formKey} takes no submissions at present.`);
}

async function findForm(tx: TenantTransaction, key: string): Promise<FormRow> {
  const [row] = await tx.query<FormRow>(FIND_FORM, [tx.clientId, key]);
  if (row === undefined) throw ApiError.notFound('form', key);
  return row;
}
