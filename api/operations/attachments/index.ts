import type { Operation } from '../../operation.ts';

export const attachmentOperations: readonly Operation[] = [];
