import type { Operation } from '../../operation.ts';

export const paymentOperations: readonly Operation[] = [];
