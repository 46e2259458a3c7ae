import type { AttendanceLogView, ClockAction } from '../contracts/attendance.ts';
import { isoMoment } from '../contracts/common.ts';

/** The columns that {@link viewOf} turns into the wire form. */
export const COLUMNS = `id, client_id, user_id, employee_id, action, "timestamp", location, notes, work_item_id, created_at`;

export type LogRow = Omit<AttendanceLogView, 'log_id' | 'timestamp' | 'created_at'> & {
  id: number;
  action: ClockAction;
  timestamp: Date;
  created_at: Date;
};

export function viewOf(row: LogRow): AttendanceLogView {
  return {
    log_id: row.id,
    client_id: row.client_id,
    user_id: row.user_id,
    employee_id: row.employee_id,
    action: row.action,
    timestamp: isoMoment(row.timestamp),
    location: row.location,
    notes: row.notes,
    work_item_id: row.work_item_id,
    created_at: isoMoment(row.created_at),
  };
}
