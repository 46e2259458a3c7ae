import type { Operation } from '../../operation.ts';
import { createFormOperation } from './create-form.ts';
import { getFormSubmissionOperation } from './get-form-submission.ts';
import { getFormOperation } from './get-form.ts';
import { listFormSubmissionsOperation } from './list-form-submissions.ts';
import { listFormsOperation } from './list-forms.ts';
import { submitFormOperation } from './submit-form.ts';
import { updateFormOperation } from './update-form.ts';

export const formOperations: readonly Operation[] = [
  listFormsOperation,
  createFormOperation,
  getFormOperation,
  updateFormOperation,
  submitFormOperation,
  listFormSubmissionsOperation,
  getFormSubmissionOperation,
];
