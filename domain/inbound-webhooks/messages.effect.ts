import type { NotificationBody, WhatsAppBody } from '../contracts/inbound-bodies.ts';
import { notifyUsers, writeInThread } from '../threads/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Effect, EffectContext } from './effect.ts';
import { findLinks, keepLink } from './links.ts';

const KIND = 'thread';
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended($1, 0))`);

/** A message to users, in a new thread of theirs. */
export function notificationEffect(context: EffectContext, body: NotificationBody): Effect {
  const { tx, caller, webhook } = context;
  return {
    key: null,
    apply: async () => {
      const { thread, message } = await notifyUsers(tx, caller, {
        user_ids: body.user_ids ?? [webhook.createdBy],
        subject: body.subject ?? webhook.name,
        body: body.message,
      });
      return { thread_id: thread.thread_id, message_id: message.id };
    },
  };
}

/** A WhatsApp message, in the thread of its sender with those who read it. */
export function whatsAppEffect(context: EffectContext, body: WhatsAppBody): Effect {
  return {
    key: body.message_id === undefined ? null : `whatsapp:${body.message_id}`,
    apply: async () => {
      const { tx, caller, receipt, webhook } = context;
      const userIds = [...new Set(body.user_ids ?? [webhook.createdBy])].sort((a, b) => a - b);
      const externalId = `${body.from} ${userIds.join(',')}`;
      // Two messages at once must not open two threads.
      await tx.query(LOCK, [`${receipt.webhookId}/${externalId}`]);
      const links = await findLinks(tx, receipt.webhookId, { kind: KIND, externalIds: [externalId] });
      const threadId = links.get(externalId);
      const text = [body.text, ...(body.media_urls ?? [])].join('\n');
      const written = threadId === undefined ? undefined : await writeInThread(tx, caller, { threadId, body: text });
      if (written !== undefined) return { thread_id: written.thread_id, message_id: written.id };
      const subject = body.from_name === undefined ? body.from : `${body.from_name} (${body.from})`;
      const opened = await notifyUsers(tx, caller, { user_ids: userIds, subject: `WhatsApp: ${subject}`, body: text });
      keepLink(tx, receipt.webhookId, { kind: KIND, externalId, recordId: opened.thread.thread_id });
      return { thread_id: opened.thread.thread_id, message_id: opened.message.id };
    },
  };
}
