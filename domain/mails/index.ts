export { isMailbox, oneLine } from './mail.rules.ts';
export { getMail, listMails } from './mails.service.ts';
export { queueMail } from './queue.service.ts';
export type { MailRequest } from './queue.service.ts';
export { endMail, noteFailedAttempt, queuedMail } from './sending.service.ts';
