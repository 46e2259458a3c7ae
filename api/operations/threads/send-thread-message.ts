import { SendThreadMessage, SentThreadMessage } from '../../../domain/contracts/threads.ts';
import { sendThreadMessage } from '../../../domain/threads/index.ts';
import { operation } from '../../operation.ts';

export const sendThreadMessageOperation = operation({
  name: 'send-thread-message',
  title: 'Send a message',
  description:
    "Writes a message to colleagues as the API key's owner: in a thread that the owner takes part in (thread_id, from list-threads), or to the users named in participant_user_ids. With a subject that opens a new thread; without one it goes on in the direct thread of the same people, which is opened if there is none. Files are referred to by the ids of attachments on work items. Sends thread.message_sent.",
  area: 'Threads',
  scopes: ['threads:send_message'],
  input: SendThreadMessage,
  output: SentThreadMessage,
  effects: 'write',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await sendThreadMessage(tx, caller, input) }),
});
