import type { FieldIssue } from '../contracts/errors.ts';
import type { TemplateConfigInput, TemplateStepInput } from '../contracts/workflow-templates.ts';
import { hasPlaceholder } from '../expressions/index.ts';
import { issuesOfInboundWebhook } from '../inbound-webhooks/index.ts';
import { issuesOfUsers } from '../people/index.ts';
import { issuesOfReferences } from '../work-items/index.ts';
import type { Pointers } from '../work-items/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { everyStep } from './check-config.ts';

/** An issue for each record that the trigger or a step names by its id and that isn't there; placeholders are looked up by the run. */
export async function unknownReferences(
  tx: TenantTransaction,
  { steps, inbound_webhook_id: id }: TemplateConfigInput,
): Promise<FieldIssue[]> {
  const trigger = id === undefined ? [] : [issuesOfInboundWebhook(tx, { id, field: 'config.inbound_webhook_id' })];
  const issues = everyStep(steps, 'config.steps').map(({ step, field }) => issuesOf(tx, step, field));
  return (await Promise.all([...trigger, ...issues])).flat();
}

async function issuesOf(tx: TenantTransaction, step: TemplateStepInput, at: string): Promise<FieldIssue[]> {
  if (step.type === 'notify') {
    const users = step.user_ids.map((id, index) => ({ id, field: `${at}.user_ids[${String(index)}]` }));
    return issuesOfUsers(
      tx,
      users.flatMap(({ id, field }) => (typeof id === 'number' ? [{ id, field }] : [])),
    );
  }
  const pointers = pointersOf(step);
  if (pointers === undefined) return [];
  const within = step.type === 'create_item' ? `${at}.item` : at;
  const issues = await issuesOfReferences(tx, pointers);
  return issues.map(({ field, issue }) => ({ field: `${within}.${field}`, issue }));
}

/** What a step points to by values that stand there, each of which fits its field (check-config). */
function pointersOf(step: TemplateStepInput): Pointers | undefined {
  if (step.type !== 'create_item' && step.type !== 'assign') return undefined;
  const fields = step.type === 'create_item' ? step.item : step;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !hasPlaceholder(value)));
}
