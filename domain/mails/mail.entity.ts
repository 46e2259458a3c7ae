import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A mail to one mailbox, written in the transaction of what it reports (decisions §7). `status`: queued → sent, or kept
 * where no mail server is set up, or failed (`last_error`). One `dedupe_key` of a client is mailed once.
 */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mails',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    mail_id: p.uuid(),
    kind: p.text(),
    to_address: p.text(),
    subject: p.text(),
    text_body: p.text(),
    dedupe_key: p.text(),
    status: p.text().default('queued'),
    attempts: p.integer().default(0),
    last_error: p.text().nullable(),
    created_at: column.createdAt(),
    sent_at: column.moment().nullable(),
    /** Its text is shown to nobody, and is taken out of the row once it has ended: it holds a link into an account. */
    is_confidential: p.boolean().default(false),
  },
  uniques: [
    { name: 'mails_mail_unique', properties: ['mail_id'] },
    { name: 'mails_dedupe_unique', properties: ['client_id', 'dedupe_key'] },
  ],
  indexes: [
    { name: 'mails_client_index', properties: ['client_id', 'id'] },
    { name: 'mails_created_index', properties: ['created_at'] },
    { name: 'mails_unsent_index', properties: ['status'], where: `"status" in ('queued', 'failed')` },
  ],
});
