import { z } from 'zod';
import { ListMails, MailView } from '../../../domain/contracts/mails.ts';
import { listMails } from '../../../domain/mails/index.ts';
import { operation } from '../../operation.ts';

export const listMailsOperation = operation({
  name: 'list-mails',
  title: 'List mails',
  description:
    'Lists the mails of the past 30 days that the platform has sent, or is to send, to people of your client, newest first, with what became of each. For owners and admins. Where no mail server is set up they stand here only (kept); get-mail has the text.',
  area: 'Mail',
  scopes: null,
  input: ListMails,
  output: z.array(MailView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/mails', auth: ['jwt'] },
  errors: ['FORBIDDEN'],
  run: async ({ caller, tx }, input) => {
    const { mails, pagination } = await listMails(tx, caller, input);
    return { data: mails, pagination };
  },
});
