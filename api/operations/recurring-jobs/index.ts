import type { Operation } from '../../operation.ts';

export const recurringJobOperations: readonly Operation[] = [];
