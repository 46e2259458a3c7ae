import type { Operation } from '../../operation.ts';

export const appointmentOperations: readonly Operation[] = [];
