import { isoMoment } from '../contracts/common.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { IndustrySolution } from '../contracts/industry-solutions.ts';
import type { WorkflowTemplate } from '../contracts/workflow-templates.ts';
import { installTemplate, mayChangeTemplates } from '../workflow-templates/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { SOLUTIONS } from './catalogue.ts';

const APPLIED = statement(`
  select solution_key, min(created_at) as applied_at from workflow_templates
  where client_id = $1 and solution_key is not null and deleted_at is null group by solution_key`);

/** The catalogue, and what of it the client has applied. */
export async function listSolutions(tx: TenantTransaction): Promise<IndustrySolution[]> {
  const rows = await tx.query<{ solution_key: string; applied_at: Date }>(APPLIED, [tx.clientId]);
  const appliedAt = new Map(rows.map((row) => [row.solution_key, row.applied_at]));
  return SOLUTIONS.map((solution) => ({
    ...solution,
    is_active: true,
    applied_at: isoMoment(appliedAt.get(solution.solution_key) ?? null),
  }));
}

/** Installs a solution's templates, active; those that the client has are left alone. For owners and admins. */
export async function applySolution(
  tx: TenantTransaction,
  caller: Caller,
  key: string,
): Promise<{ solution_key: string; installed: WorkflowTemplate[]; already_installed: number }> {
  mayChangeTemplates(caller);
  const solution = SOLUTIONS.find(({ solution_key }) => solution_key === key);
  if (solution === undefined) throw ApiError.notFound('industry solution', key);
  const installed: WorkflowTemplate[] = [];
  for (const workflow of solution.workflows) {
    const template = await installTemplate(tx, caller, { ...workflow, status: 'active' }, key);
    if (template !== undefined) installed.push(template);
  }
  return { solution_key: key, installed, already_installed: solution.workflows.length - installed.length };
}
