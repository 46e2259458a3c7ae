import { ACTOR_NAME, ACTORS } from '../audit/index.ts';
import { isoMoment } from '../contracts/common.ts';
import type { TimeEntry } from '../contracts/time-entries.ts';

type MomentField = 'started_at' | 'ended_at' | 'created_at' | 'updated_at';
export type TimeEntryRow = Omit<TimeEntry, 'work_item_id' | 'created_by' | MomentField> &
  Record<MomentField, Date> & { actor_type: string; actor_id: string; actor_name: string | null };

/** A select of what {@link viewOf} turns into the wire form, from rows of the table; `$1` is the client. */
export function shown(rows: string): string {
  return `
  select a.id, a.user_id, a.started_at, a.ended_at, a.duration_minutes, a.description, a.is_billable, a.created_at,
    a.updated_at, a.actor_type, a.actor_id, ${ACTOR_NAME} as actor_name,
    (select w.name from users w where w.client_id = $1 and w.id = a.user_id) as user_name
  from (select t.*, created_by_type as actor_type, created_by_id as actor_id from ${rows} t) a ${ACTORS}
  order by a.id desc`;
}

export function viewOf(row: TimeEntryRow, workItemId: string): TimeEntry {
  return {
    id: row.id,
    work_item_id: workItemId,
    user_id: row.user_id,
    user_name: row.user_name,
    started_at: isoMoment(row.started_at),
    ended_at: isoMoment(row.ended_at),
    duration_minutes: row.duration_minutes,
    description: row.description,
    is_billable: row.is_billable,
    created_by: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
