import { isDeepStrictEqual } from 'node:util';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Page, Window } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { CreateFormInput, FormView, UpdateFormInput } from '../contracts/forms.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { FORM_COLUMNS, formOf } from './form.view.ts';
import type { FormRow } from './form.view.ts';

const LIST = statement(`select ${FORM_COLUMNS} from forms where client_id = $1 order by id desc limit $2 offset $3`);
const COUNT = statement(`select count(*) as total from forms where client_id = $1`);
const GET = statement(`select ${FORM_COLUMNS} from forms where client_id = $1 and form_key = $2`);
const INSERT = statement(`
  insert into forms (client_id, form_key, form_name, description, is_active, fields) values ($1, $2, $3, $4, $5, $6)
  on conflict on constraint forms_key_unique do nothing returning ${FORM_COLUMNS}`);

const LOCK = statement(`
  select ${FORM_COLUMNS} from forms where client_id = $1 and form_key = $2 for no key update`);
const UPDATE = statement(`
  update forms set form_name = $3, description = $4, is_active = $5, fields = $6, updated_at = now()
  where client_id = $1 and id = $2 returning ${FORM_COLUMNS}`);

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

/** One form; 404 where the client has none of this key. */
export async function getForm(tx: TenantTransaction, formKey: string): Promise<FormView> {
  const [row] = await tx.query<FormRow>(GET, [tx.clientId, formKey]);
  if (row === undefined) throw ApiError.notFound('form', formKey);
  return formOf(row);
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

const CHANGEABLE = ['form_name', 'description', 'is_active', 'fields'] as const;

/** Sets what is given. What changes nothing is success, and tells nobody. */
export async function updateForm(
  tx: TenantTransaction,
  caller: Caller,
  { form_key, ...input }: UpdateFormInput,
): Promise<FormView> {
  const issues = issuesOf(input.fields ?? []);
  if (issues.length > 0) throw ApiError.ofFields(issues);
  const [before] = await tx.query<FormRow>(LOCK, [tx.clientId, form_key]);
  if (before === undefined) throw ApiError.notFound('form', form_key);
  const after = { ...before, ...input };
  const changed = CHANGEABLE.filter((field) => !isDeepStrictEqual(after[field], before[field]));
  if (changed.length === 0) return formOf(before);
  const { form_name, description, is_active, fields } = after;
  const values = [tx.clientId, before.id, form_name, description, is_active, JSON.stringify(fields)];
  const [row] = await tx.query<FormRow>(UPDATE, values);
  if (row === undefined) throw new Error('update of a locked form found no row');
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: row[field] }]));
  audit(tx, caller, { action: 'form.updated', subjectType: 'form', subjectId: String(row.id), details: { changes } });
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
