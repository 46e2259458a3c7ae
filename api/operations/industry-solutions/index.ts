import type { Operation } from '../../operation.ts';

export const industrySolutionOperations: readonly Operation[] = [];
