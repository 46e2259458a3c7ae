import type { Operation } from '../../operation.ts';

export const timeEntryOperations: readonly Operation[] = [];
