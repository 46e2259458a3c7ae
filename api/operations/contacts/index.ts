import type { Operation } from '../../operation.ts';

export const contactOperations: readonly Operation[] = [];
