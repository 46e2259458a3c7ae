import { getActiveUsersOperation } from './get-active-users.ts';
import { getCurrentUserOperation } from './get-current-user.ts';
import { getEmployeesOperation } from './get-employees.ts';
import { getSubordinatesOperation } from './get-subordinates.ts';
import { getUserMembershipsOperation } from './get-user-memberships.ts';
import type { Operation } from '../../operation.ts';

export const peopleOperations: readonly Operation[] = [
  getCurrentUserOperation,
  getActiveUsersOperation,
  getEmployeesOperation,
  getUserMembershipsOperation,
  getSubordinatesOperation,
];
