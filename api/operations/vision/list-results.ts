import { ListResults, ResultList } from '../../../domain/contracts/vision-results.ts';
import { listRequests } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { ANY_VISION_SCOPE, visionRoute } from '../../vision/route.ts';

export const listResultsOperation = operation({
  name: 'list-results',
  title: 'List results',
  description:
    'Lists the client’s Document AI calls, newest first, optionally by status, endpoint or document type. get-result returns what one answered.',
  area: 'Document AI',
  scopes: ANY_VISION_SCOPE,
  input: ListResults,
  output: ResultList,
  paginated: true,
  effects: 'read',
  route: visionRoute('results', { method: 'get' }),
  run: async ({ tx, caller }, input) => {
    const { results, pagination } = await listRequests(tx, caller, input);
    return { data: { results }, pagination };
  },
});
