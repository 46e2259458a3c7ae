import { z } from 'zod';
import { AppliedSolution, SolutionKey } from '../../../domain/contracts/industry-solutions.ts';
import { applySolution } from '../../../domain/industry-solutions/index.ts';
import { operation } from '../../operation.ts';

export const applyIndustrySolutionOperation = operation({
  name: 'apply-industry-solution',
  title: 'Apply an industry solution',
  description:
    'Installs the workflow templates of an industry solution, active. Templates that are there already stay as they are, so that it may be applied again. For owners and admins.',
  area: 'Industry solutions',
  scopes: null,
  input: z.strictObject({ solution_key: SolutionKey }),
  output: AppliedSolution,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/industry-solutions/{solution_key}/apply',
    auth: ['jwt'],
    params: ['solution_key'],
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, { solution_key }) => ({ data: await applySolution(tx, caller, solution_key) }),
});
