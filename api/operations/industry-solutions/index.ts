import type { Operation } from '../../operation.ts';
import { applyIndustrySolutionOperation } from './apply-industry-solution.ts';
import { listIndustrySolutionsOperation } from './list-industry-solutions.ts';

export const industrySolutionOperations: readonly Operation[] = [
  listIndustrySolutionsOperation,
  applyIndustrySolutionOperation,
];
