import { ApiError } from '../contracts/errors.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { findWorkItemIfAny, issuesOfReferences, joinStructure } from '../work-items/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

interface Named {
  work_item_id?: string | null | undefined;
  contact_id?: number | null | undefined;
  assigned_to?: number | null | undefined;
}

/** The item, if one is named. Whatever is named and not there is told, field by field. */
export async function checkReferences(
  tx: TenantTransaction,
  { work_item_id: ref, contact_id, assigned_to }: Named,
): Promise<WorkItem | undefined> {
  const isNamed = ref !== undefined && ref !== null;
  // A deletion of the item at the same moment takes the appointment with it, or is seen here.
  if (isNamed) joinStructure(tx);
  const [item, issues] = await Promise.all([
    isNamed ? findWorkItemIfAny(tx, ref) : undefined,
    issuesOfReferences(tx, { contact_id, assigned_to }),
  ]);
  if (isNamed && item === undefined) issues.unshift({ field: 'work_item_id', issue: `there is no work item ${ref}` });
  if (issues.length > 0) throw ApiError.ofFields(issues);
  return item;
}
