import type { CreateWorkItemInput } from '../contracts/work-items.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkRules } from './checks.ts';
import { checkReferences } from './references.ts';

/** Refuses what `createWorkItem` would refuse, and creates nothing: for templates of items to come. */
export async function checkNewWorkItem(tx: TenantTransaction, input: CreateWorkItemInput): Promise<void> {
  checkRules(input);
  await checkReferences(tx, input);
}
