import { isDeepStrictEqual } from 'node:util';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { checkJsonSize } from '../contracts/json-size.ts';
import type {
  CreateWorkflowTemplateInput,
  ListWorkflowTemplatesInput,
  UpdateWorkflowTemplateInput,
  WorkflowTemplate,
} from '../contracts/workflow-templates.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { configIssues, triggerEvent } from './check-config.ts';
import { unknownReferences } from './check-references.ts';
import { nextRunAt } from './schedule.ts';
import { TEMPLATE_COLUMNS, templateView } from './workflow-template.view.ts';
import type { TemplateRow } from './workflow-template.view.ts';

/** Largest `config`, as JSON text. */
const MAX_CONFIG_BYTES = 65_536;

const MATCHING = `from workflow_templates where client_id = $1 and deleted_at is null and ($2::text is null or module = $2)
  and ($3::text is null or type = $3) and ($4::text is null or status = $4) and ($5::text is null or trigger_type = $5)`;
const LIST = statement(`select ${TEMPLATE_COLUMNS} ${MATCHING} order by id desc limit $6 offset $7`);
const COUNT = statement(`select count(*) as total ${MATCHING}`);
const GET = statement(`
  select ${TEMPLATE_COLUMNS} from workflow_templates where client_id = $1 and id = $2 and deleted_at is null`);
const LOCK = statement(`
  select ${TEMPLATE_COLUMNS} from workflow_templates where client_id = $1 and id = $2 and deleted_at is null for update`);
const INSERT = statement(`
  insert into workflow_templates (client_id, name, description, module, type, trigger_type, trigger_event, status, config,
    solution_key, next_run_at, solution_template)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, case when $10::text is null then null else $2 end)
  on conflict (client_id, solution_key, solution_template) where solution_key is not null and deleted_at is null do nothing
  returning ${TEMPLATE_COLUMNS}`);
// A time that has come and not been run yet stays, unless the template is to run at others.
const UPDATE = statement(`
  update workflow_templates set name = $3, description = $4, module = $5, type = $6, trigger_type = $7, trigger_event = $8,
    status = $9, config = $10, next_run_at = case when $12 then $11 else next_run_at end, revision = revision + 1, updated_at = now()
  where client_id = $1 and id = $2 returning ${TEMPLATE_COLUMNS}`);
const DELETE = statement(`update workflow_templates set deleted_at = now() where client_id = $1 and id = $2`);

/** Newest first. */
export async function listTemplates(
  tx: TenantTransaction,
  { module, type, status, trigger_type, limit, offset }: ListWorkflowTemplatesInput,
): Promise<{ templates: WorkflowTemplate[]; pagination: Page }> {
  const filter = [tx.clientId, module ?? null, type ?? null, status ?? null, trigger_type ?? null];
  const [rows, [count]] = await Promise.all([
    tx.query<TemplateRow>(LIST, [...filter, limit, offset]),
    tx.query<{ total: number }>(COUNT, filter),
  ]);
  return { templates: rows.map(templateView), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** One template; 404 for a deleted one and for another client's. */
export async function getTemplate(tx: TenantTransaction, id: number): Promise<WorkflowTemplate> {
  return only(await tx.query<TemplateRow>(GET, [tx.clientId, id]), id);
}

/** Makes a template. For owners and admins. */
export async function createTemplate(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkflowTemplateInput,
): Promise<WorkflowTemplate> {
  mayChangeTemplates(caller);
  await checkTemplate(tx, input);
  const template = await insertTemplate(tx, caller, input, null);
  if (template === undefined) throw new Error('insert into workflow_templates returned no row');
  return template;
}

/** Installs a template of an industry solution; undefined when the client has it already, by whatever name. */
export function installTemplate(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkflowTemplateInput,
  solutionKey: string,
): Promise<WorkflowTemplate | undefined> {
  return insertTemplate(tx, caller, input, solutionKey);
}

/**
 * Changes a template; runs that have started keep the steps they started with. An update that changes nothing leaves no
 * trace. For owners and admins.
 */
export async function updateTemplate(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  input: UpdateWorkflowTemplateInput,
): Promise<WorkflowTemplate> {
  mayChangeTemplates(caller);
  const before = only(await tx.query<TemplateRow>(LOCK, [tx.clientId, id]), id);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const wanted = { ...before, ...given };
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).length === 0) return before;
  if (actsOtherwise(changes, wanted)) await checkTemplate(tx, wanted);
  const after = only(
    await tx.query<TemplateRow>(UPDATE, [
      tx.clientId,
      id,
      wanted.name,
      wanted.description,
      wanted.module,
      wanted.type,
      wanted.trigger_type,
      triggerEvent(wanted.trigger_type, wanted.config),
      wanted.status,
      JSON.stringify(wanted.config),
      nextRunAt(wanted.trigger_type, wanted.config, caller.client.timezone, new Date()),
      isRetimed(changes, before, wanted),
    ]),
    id,
  );
  note(tx, caller, 'workflow_template.updated', id, { changes });
  return after;
}

/** What is only renamed or taken out of use isn't checked again: it may name someone who has left since. */
function actsOtherwise(changes: Readonly<Record<string, unknown>>, { status }: WorkflowTemplate): boolean {
  return 'config' in changes || 'trigger_type' in changes || ('status' in changes && status === 'active');
}

/** Other steps alone don't move its times. */
function isRetimed(
  changes: Readonly<Record<string, unknown>>,
  { config: { cron, timezone } }: WorkflowTemplate,
  after: WorkflowTemplate,
): boolean {
  if ('trigger_type' in changes || 'status' in changes) return true;
  return cron !== after.config.cron || timezone !== after.config.timezone;
}

function changesBetween(
  before: WorkflowTemplate,
  after: WorkflowTemplate,
): Record<string, { from: unknown; to: unknown }> {
  const fields = ['name', 'description', 'module', 'type', 'trigger_type', 'status', 'config'] as const;
  const differs = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(differs.map((field) => [field, { from: before[field], to: after[field] }]));
}

/** Takes a template out of use; its runs go on and stay readable. For owners and admins. */
export async function deleteTemplate(tx: TenantTransaction, caller: Caller, id: number): Promise<void> {
  mayChangeTemplates(caller);
  only(await tx.query<TemplateRow>(LOCK, [tx.clientId, id]), id);
  tx.write(DELETE, [tx.clientId, id]);
  note(tx, caller, 'workflow_template.deleted', id);
}

/** Templates act for the whole client, so that its owners and admins alone change and start them. */
export function mayChangeTemplates(caller: Caller): void {
  if (canViewAllUsers(caller)) return;
  throw new ApiError('FORBIDDEN', 'Only owners and admins may change or start workflow templates.');
}

async function insertTemplate(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkflowTemplateInput,
  solutionKey: string | null,
): Promise<WorkflowTemplate | undefined> {
  const [row] = await tx.query<TemplateRow>(INSERT, [
    tx.clientId,
    input.name,
    input.description ?? null,
    input.module,
    input.type,
    input.trigger_type,
    triggerEvent(input.trigger_type, input.config),
    input.status,
    JSON.stringify(input.config),
    solutionKey,
    nextRunAt(input.trigger_type, input.config, caller.client.timezone, new Date()),
  ]);
  if (row === undefined) return undefined;
  note(
    tx,
    caller,
    'workflow_template.created',
    row.id,
    solutionKey === null ? undefined : { solution_key: solutionKey },
  );
  return templateView(row);
}

async function checkTemplate(
  tx: TenantTransaction,
  { trigger_type, status, config }: Pick<WorkflowTemplate, 'trigger_type' | 'status' | 'config'>,
): Promise<void> {
  checkJsonSize('config', config, MAX_CONFIG_BYTES);
  const issues = configIssues(trigger_type, config);
  if (status === 'active' && config.steps.length === 0) {
    issues.push({ field: 'config.steps', issue: 'an active template needs at least one step' });
  }
  if (issues.length > 0) throw ApiError.ofFields(issues);
  const unknown = await unknownReferences(tx, config);
  if (unknown.length > 0) throw ApiError.ofFields(unknown);
}

function note(
  tx: TenantTransaction,
  caller: Caller,
  action: string,
  id: number,
  details?: Record<string, unknown>,
): void {
  const subject = { action, subjectType: 'workflow_template', subjectId: String(id) };
  audit(tx, caller, details === undefined ? subject : { ...subject, details });
}

function only(rows: readonly TemplateRow[], id: number): WorkflowTemplate {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('workflow template', id);
  return templateView(row);
}
