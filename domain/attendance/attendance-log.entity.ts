import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One move of a person: clocked in or out, break begun or ended. Never changed. */
export const AttendanceLog = defineEntity({
  name: 'AttendanceLog',
  tableName: 'attendance_logs',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    user_id: p.integer(),
    /** The user's employee record at that moment; null when it had none. */
    employee_id: p.integer().nullable(),
    action: p.text(),
    timestamp: column.moment(),
    /** When the session that this log belongs to was clocked in: finds whole sessions at the edge of a period. */
    session_started_at: column.moment(),
    location: p.json<{ lat: number; lng: number }>().nullable(),
    notes: p.text().nullable(),
    work_item_id: p.uuid().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [
    { name: 'attendance_logs_client_index', properties: ['client_id', 'timestamp', 'id'] },
    { name: 'attendance_logs_user_index', properties: ['client_id', 'user_id', 'timestamp', 'id'] },
    { name: 'attendance_logs_session_index', properties: ['client_id', 'user_id', 'session_started_at'] },
  ],
});
