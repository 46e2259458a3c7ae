import { ApiError } from '../contracts/errors.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkNewWorkItem } from '../work-items/index.ts';
import { workItemFor } from './work-item.rules.ts';
import type { Blueprint } from './work-item.rules.ts';

/** Whether the work item of an occurrence could be created as things are now; refuses by the names of the template's fields. */
export async function checkTemplate(tx: TenantTransaction, blueprint: Blueprint, occurrence: number): Promise<void> {
  try {
    await checkNewWorkItem(tx, workItemFor(blueprint, occurrence));
  } catch (error) {
    if (!(error instanceof ApiError) || error.details === undefined || error.code !== 'VALIDATION_ERROR') throw error;
    throw ApiError.ofFields(error.details.map(({ field, issue }) => ({ field: `template.${field}`, issue })));
  }
}
