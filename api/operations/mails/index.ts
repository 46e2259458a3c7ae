import { getMailOperation } from './get-mail.ts';
import { listMailsOperation } from './list-mails.ts';
import type { Operation } from '../../operation.ts';

export const mailOperations: readonly Operation[] = [listMailsOperation, getMailOperation];
