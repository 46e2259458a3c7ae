import { createOAuthApplicationOperation } from './create-oauth-application.ts';
import { deleteOAuthApplicationOperation } from './delete-oauth-application.ts';
import { getOAuthApplicationOperation } from './get-oauth-application.ts';
import { listOAuthApplicationsOperation } from './list-oauth-applications.ts';
import { rotateOAuthSecretOperation } from './rotate-oauth-secret.ts';
import { updateOAuthApplicationOperation } from './update-oauth-application.ts';
import type { Operation } from '../../operation.ts';

export const oauthApplicationOperations: readonly Operation[] = [
  listOAuthApplicationsOperation,
  createOAuthApplicationOperation,
  getOAuthApplicationOperation,
  updateOAuthApplicationOperation,
  deleteOAuthApplicationOperation,
  rotateOAuthSecretOperation,
];
