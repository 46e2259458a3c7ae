import type { Operation } from '../../operation.ts';

export const workflowTemplateOperations: readonly Operation[] = [];
