import { z } from 'zod';
import { MailDetail } from '../../../domain/contracts/mails.ts';
import { getMail } from '../../../domain/mails/index.ts';
import { operation } from '../../operation.ts';

export const getMailOperation = operation({
  name: 'get-mail',
  title: 'Get a mail',
  description:
    'Returns one mail of the past 30 days with its text; invitations and links for a new password keep theirs to themselves. For owners and admins; list-mails has the ids.',
  area: 'Mail',
  scopes: null,
  input: z.strictObject({
    mail_id: z.uuid().describe('Id of the mail').meta({ example: '6f1c2a4e-3b7d-4c6a-9d0e-5a8b7c6d5e4f' }),
  }),
  output: MailDetail,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/mails/{mail_id}', auth: ['jwt'], params: ['mail_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await getMail(tx, caller, input.mail_id) }),
});
