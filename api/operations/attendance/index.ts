import type { Operation } from '../../operation.ts';

export const attendanceOperations: readonly Operation[] = [];
