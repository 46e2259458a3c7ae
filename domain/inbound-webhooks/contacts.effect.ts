import { CreateContact } from '../contracts/contacts.ts';
import type { ContactView } from '../contracts/contacts.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DataSyncBody, SyncedContactBody } from '../contracts/inbound-bodies.ts';
import { createContact, findContactIdsByEmail, updateContact } from '../contacts/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Effect, EffectContext } from './effect.ts';
import { findLinks, keepLink } from './links.ts';

const KIND = 'contact';

// Two calls that bring the same new contact at the same moment must not both create it.
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended('inbound_data_sync', $1))`);

/** Creates and updates contacts, all or none of them. */
export function contactsEffect(context: EffectContext, { contacts }: DataSyncBody): Effect {
  return {
    key: null,
    apply: async () => {
      const { tx, receipt } = context;
      await tx.query(LOCK, [tx.clientId]);
      const externalIds = contacts.flatMap((contact) => contact.external_id ?? []);
      const emails = contacts.flatMap((contact) => contact.email ?? []);
      const [links, byEmail] = await Promise.all([
        findLinks(tx, receipt.webhookId, { kind: KIND, externalIds }),
        findContactIdsByEmail(tx, emails),
      ]);
      const known = { byEmail, byExternalId: new Map([...links].map(([id, record]) => [id, Number(record)])) };
      const ids: number[] = [];
      let created = 0;
      for (const contact of contacts) {
        const { id, isNew } = await upsert(context, contact, known);
        ids.push(id);
        if (isNew) created += 1;
      }
      return { created, matched: contacts.length - created, contact_ids: [...new Set(ids)] };
    },
  };
}

interface Known {
  byExternalId: Map<string, number>;
  /** By the e-mail in lower case. */
  byEmail: Map<string, number>;
}

async function upsert(
  context: EffectContext,
  { external_id: externalId, ...fields }: SyncedContactBody,
  known: Known,
): Promise<{ id: number; isNew: boolean }> {
  const { tx, caller, receipt } = context;
  const linked = externalId === undefined ? undefined : known.byExternalId.get(externalId);
  const email = fields.email?.toLowerCase();
  const candidates = [linked, email === undefined ? undefined : known.byEmail.get(email)];
  let contact: ContactView | undefined;
  for (const id of candidates) {
    if (id !== undefined) contact ??= await updated(context, { contact_id: id, ...fields });
  }
  const isNew = contact === undefined;
  contact ??= await createContact(tx, caller, CreateContact.parse(fields));
  if (externalId !== undefined && contact.id !== linked) {
    keepLink(tx, receipt.webhookId, { kind: KIND, externalId, recordId: String(contact.id) });
    known.byExternalId.set(externalId, contact.id);
  }
  if (email !== undefined) known.byEmail.set(email, contact.id);
  return { id: contact.id, isNew };
}

/** Undefined for a contact that is deleted by now: what its sender still has of it makes a new one. */
async function updated(
  { tx, caller }: EffectContext,
  input: Parameters<typeof updateContact>[2],
): Promise<ContactView | undefined> {
  try {
    return await updateContact(tx, caller, input);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
