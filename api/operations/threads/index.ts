import { getThreadMessagesOperation } from './get-thread-messages.ts';
import { listThreadsOperation } from './list-threads.ts';
import { sendThreadMessageOperation } from './send-thread-message.ts';
import type { Operation } from '../../operation.ts';

export const threadOperations: readonly Operation[] = [
  sendThreadMessageOperation,
  listThreadsOperation,
  getThreadMessagesOperation,
];
