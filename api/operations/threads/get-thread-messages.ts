import { GetThreadMessages, ThreadMessageList } from '../../../domain/contracts/threads.ts';
import { listThreadMessages } from '../../../domain/threads/index.ts';
import { operation } from '../../operation.ts';

export const getThreadMessagesOperation = operation({
  name: 'get-thread-messages',
  title: 'Read the messages of a thread',
  description:
    "Lists the messages of one thread, newest first. Only threads that the API key's owner takes part in can be read; find them with list-threads.",
  area: 'Threads',
  scopes: ['threads:read'],
  input: GetThreadMessages,
  output: ThreadMessageList,
  paginated: true,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => {
    const { messages, pagination } = await listThreadMessages(tx, caller, input);
    return { data: { messages }, pagination };
  },
});
