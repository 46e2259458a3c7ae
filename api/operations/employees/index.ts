import type { Operation } from '../../operation.ts';
import { createEmployeeOperation } from './create-employee.ts';
import { getEmployeeOperation } from './get-employee.ts';
import { updateEmployeeOperation } from './update-employee.ts';

/** The list is the action get-employees (people). */
export const employeeOperations: readonly Operation[] = [
  getEmployeeOperation,
  createEmployeeOperation,
  updateEmployeeOperation,
];
