import type { Operation } from '../../operation.ts';

export const formOperations: readonly Operation[] = [];
