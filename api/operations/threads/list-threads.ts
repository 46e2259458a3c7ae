import { ListThreads, ThreadList } from '../../../domain/contracts/threads.ts';
import { listThreads } from '../../../domain/threads/index.ts';
import { operation } from '../../operation.ts';

export const listThreadsOperation = operation({
  name: 'list-threads',
  title: 'List message threads',
  description:
    "Lists the threads that the API key's owner takes part in, those with the newest message first. Read their messages with get-thread-messages.",
  area: 'Threads',
  scopes: ['threads:read'],
  input: ListThreads,
  output: ThreadList,
  paginated: true,
  effects: 'read',
  action: true,
  run: async ({ caller, tx }, input) => {
    const { threads, pagination } = await listThreads(tx, caller, input);
    return { data: { threads }, pagination };
  },
});
