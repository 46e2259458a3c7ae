import { createUserOperation } from './create-user.ts';
import { getUserOperation } from './get-user.ts';
import { inviteUserOperation } from './invite-user.ts';
import { listUsersOperation } from './list-users.ts';
import { updateUserOperation } from './update-user.ts';
import type { Operation } from '../../operation.ts';

export const userOperations: readonly Operation[] = [
  listUsersOperation,
  createUserOperation,
  getUserOperation,
  updateUserOperation,
  inviteUserOperation,
];
