import type { Operation } from '../../operation.ts';

export const financeOperations: readonly Operation[] = [];
