import { addWorkItemRelationshipOperation } from './add-work-item-relationship.ts';
import { addWorkItemToManagedTaskOperation } from './add-work-item-to-managed-task.ts';
import { closeWorkItemOperation } from './close-work-item.ts';
import { createManagedTaskOperation } from './create-managed-task.ts';
import { createWorkItemOperation } from './create-work-item.ts';
import { deleteWorkItemOperation } from './delete-work-item.ts';
import { getEmployeeDueTasksOperation } from './get-employee-due-tasks.ts';
import { getEmployeeOverdueTasksOperation } from './get-employee-overdue-tasks.ts';
import { getWorkItemOperation } from './get-work-item.ts';
import { getWorkItemRelationshipsOperation } from './get-work-item-relationships.ts';
import { getWorkItemsOperation } from './get-work-items.ts';
import { listWorkItemActivityOperation } from './list-work-item-activity.ts';
import { listWorkItemsOperation } from './list-work-items.ts';
import { removeWorkItemRelationshipOperation } from './remove-work-item-relationship.ts';
import { updateWorkItemOperation } from './update-work-item.ts';
import type { Operation } from '../../operation.ts';

export const workItemOperations: readonly Operation[] = [
  createWorkItemOperation,
  getWorkItemOperation,
  listWorkItemsOperation,
  getWorkItemsOperation,
  updateWorkItemOperation,
  closeWorkItemOperation,
  deleteWorkItemOperation,
  listWorkItemActivityOperation,
  addWorkItemRelationshipOperation,
  removeWorkItemRelationshipOperation,
  getWorkItemRelationshipsOperation,
  createManagedTaskOperation,
  addWorkItemToManagedTaskOperation,
  getEmployeeDueTasksOperation,
  getEmployeeOverdueTasksOperation,
];
