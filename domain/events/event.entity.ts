import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * Something that happened, written in the transaction of the change it reports: the outbox. The relay turns rows into
 * deliveries and sets `dispatched_at`, in one transaction under row locks, so that a relay that dies leaves no trace.
 */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    event_id: p.uuid(),
    name: p.text(),
    work_item_id: p.bigint('number').nullable(),
    // json, not jsonb: kept as it was written, so that the relay splices its text into a payload without parsing it.
    data: p.json<Record<string, unknown>>().columnType('json'),
    occurred_at: column.createdAt(),
    dispatched_at: column.moment().nullable(),
    /** For one receiver only, named by a delivery (a test, a verification): no subscription is ever matched against it. */
    is_addressed: p.boolean().default(false),
    /** When its data was erased, with the document that it told of; nobody is sent it any more. Set: a trigger erases it. */
    erased_at: column.moment().nullable(),
    /** Who reported it, as `<type of actor>:<id>`, where it is a customer's own; null for what happened here. */
    published_by: p.text().nullable(),
    /** Ids of the workflow templates whose runs led to it, outermost first; filled in by the database. */
    automation_path: p.array().columnType('int[]').defaultRaw('automation_path()'),
  },
  uniques: [{ name: 'events_event_id_unique', properties: ['event_id'] }],
  indexes: [
    { name: 'events_undispatched_index', properties: ['id'], where: '"dispatched_at" is null' },
    { name: 'events_waiting_index', properties: ['client_id', 'id'], where: '"dispatched_at" is null' },
    // Of what is dispatched only: that change writes the row anew, and each index that held it before along with it.
    { name: 'events_client_index', properties: ['client_id', 'id'], where: '"dispatched_at" is not null' },
    {
      name: 'events_log_index',
      properties: ['client_id', 'occurred_at', 'id'],
      where: '"dispatched_at" is not null',
    },
    {
      name: 'events_name_index',
      properties: ['client_id', 'name', 'occurred_at', 'id'],
      where: '"dispatched_at" is not null',
    },
    {
      name: 'events_work_item_index',
      properties: ['client_id', 'work_item_id', 'occurred_at', 'id'],
      where: '"dispatched_at" is not null and "work_item_id" is not null',
    },
  ],
});
