import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Page, Window } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { CreateFormInput, FormView } from '../contracts/forms.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { FORM_COLUMNS, formOf } from './form.view.ts';
import type { FormRow } from './form.view.ts';

const LIST = statement(`select ${FORM_COLUMNS} from forms where client_id = $1 order by id desc limit $2 offset $3`);
const COUNT = statement(`select count(*) as total from forms where client_id = $1`);
const INSERT = statement(`
  insert into forms (client_id, form_key, form_name, description, is_active, fields) values ($1, $2, $3, $4, $5, $6)
  on conflict on constraint forms_key_unique do nothing returning ${FORM_COLUMNS}`);

/** The forms of the client, newest first. */
export async function listForms(
  tx: TenantTransaction,
  { limit, offset }: Window,
): Promise<{ forms: FormView[]; pagination: Page }> {
  const [rows, [count]] = await Promise.all([
    tx.query<FormRow>(LIST, [tx.clientId, limit, offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId]),
  ]);
  return { forms: rows.map(formOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** Creates a form; 409 where its key is in use. */
export async function createForm(tx: TenantTransaction, caller: Caller, input: CreateFormInput): Promise<FormView> {
  const issues = issuesOf(input.fields);
  if (issues.length > 0) throw ApiError.ofFields(issues);
  const { form_key, form_name, description, is_active, fields } = input;
  const [row] = await tx.query<FormRow>(INSERT, [
    tx.clientId,
    form_key,
    form_name,
    description,
    is_active,
    JSON.stringify(fields),
  ]);
  if (row === undefined) throw new ApiError('CONFLICT', `There is a form ${form_key} already.`);
  audit(tx, caller, { action: 'form.created', subjectType: 'form', subjectId: String(row.id) });
  return formOf(row);
}

function issuesOf(fields: CreateFormInput['fields']): FieldIssue[] {
  const seen = new Set<string>();
  return fields.flatMap(({ field_key: key, field_type: type, options }, index) => {
    const at = `fields[${String(index)}]`;
    const issues: FieldIssue[] = [];
    if (seen.has(key)) issues.push({ field: `${at}.field_key`, issue: `${key} is the key of another field` });
    seen.add(key);
    const isChoice = type === 'select' || type === 'multiselect';
    if (isChoice && options.length === 0) issues.push({ field: `${at}.options`, issue: `a ${type} needs options` });
    if (!isChoice && options.length > 0) issues.push({ field: `${at}.options`, issue: `a ${type} has no options` });
    if (new Set(options).size < options.length) issues.push({ field: `${at}.options`, issue: 'must differ' });
    return issues;
  });
}
