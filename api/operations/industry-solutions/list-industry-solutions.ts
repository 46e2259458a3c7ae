import { z } from 'zod';
import { IndustrySolutionView } from '../../../domain/contracts/industry-solutions.ts';
import { listSolutions } from '../../../domain/industry-solutions/index.ts';
import { operation } from '../../operation.ts';

export const listIndustrySolutionsOperation = operation({
  name: 'list-industry-solutions',
  title: 'List industry solutions',
  description:
    'Lists the ready-made sets of workflow templates, by industry, and whether your client has applied them.',
  area: 'Industry solutions',
  scopes: ['workflows:read'],
  input: z.strictObject({}),
  output: z.array(IndustrySolutionView),
  effects: 'read',
  route: { method: 'get', path: '/api/v1/industry-solutions', auth: ['jwt'] },
  run: async ({ tx }) => ({ data: await listSolutions(tx) }),
});
