import { getClientOperation } from './get-client.ts';
import { updateClientOperation } from './update-client.ts';
import type { Operation } from '../../operation.ts';

export const clientOperations: readonly Operation[] = [getClientOperation, updateClientOperation];
