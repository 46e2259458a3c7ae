import { createWorkItemOperation } from './create-work-item.ts';
import { getWorkItemOperation } from './get-work-item.ts';
import { getWorkItemsOperation } from './get-work-items.ts';
import { listWorkItemsOperation } from './list-work-items.ts';
import type { Operation } from '../../operation.ts';

export const workItemOperations: readonly Operation[] = [
  createWorkItemOperation,
  getWorkItemOperation,
  listWorkItemsOperation,
  getWorkItemsOperation,
];
