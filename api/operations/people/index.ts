import type { Operation } from '../../operation.ts';

export const peopleOperations: readonly Operation[] = [];
