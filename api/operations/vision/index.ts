import { extractOperation } from './extract.ts';
import { getResultOperation } from './get-result.ts';
import type { Operation } from '../../operation.ts';

export const visionOperations: readonly Operation[] = [extractOperation, getResultOperation];
