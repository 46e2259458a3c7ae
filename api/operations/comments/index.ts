import type { Operation } from '../../operation.ts';

export const commentOperations: readonly Operation[] = [];
