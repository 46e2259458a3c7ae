import type { Operation } from '../../operation.ts';

export const threadOperations: readonly Operation[] = [];
