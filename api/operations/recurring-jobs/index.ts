import { createRecurringJobOperation } from './create-recurring-job.ts';
import { deleteRecurringJobOperation } from './delete-recurring-job.ts';
import { generateRecurringJobOperation } from './generate-recurring-job.ts';
import { getRecurringJobOperation } from './get-recurring-job.ts';
import { listRecurringJobsOperation } from './list-recurring-jobs.ts';
import { pauseRecurringJobOperation } from './pause-recurring-job.ts';
import { resumeRecurringJobOperation } from './resume-recurring-job.ts';
import { updateRecurringJobOperation } from './update-recurring-job.ts';
import type { Operation } from '../../operation.ts';

export const recurringJobOperations: readonly Operation[] = [
  listRecurringJobsOperation,
  getRecurringJobOperation,
  createRecurringJobOperation,
  updateRecurringJobOperation,
  pauseRecurringJobOperation,
  resumeRecurringJobOperation,
  generateRecurringJobOperation,
  deleteRecurringJobOperation,
];
