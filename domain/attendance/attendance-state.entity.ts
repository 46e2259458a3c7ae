import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** Where each person stands: its last log. The row is locked while a move is judged, so that moves follow one another. */
export const AttendanceState = defineEntity({
  name: 'AttendanceState',
  tableName: 'attendance_states',
  properties: {
    client_id: column.clientId().primary(),
    user_id: p.integer().primary(),
    last_action: p.text().nullable(),
    last_at: column.moment().nullable(),
    session_started_at: column.moment().nullable(),
    /** The first log of all: with `last_at`, when the person was around. */
    first_at: column.moment().nullable(),
  },
});
