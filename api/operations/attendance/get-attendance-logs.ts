import { AttendanceLogList, GetAttendanceLogs } from '../../../domain/contracts/attendance.ts';
import { listAttendanceLogs } from '../../../domain/attendance/index.ts';
import { operation } from '../../operation.ts';

export const getAttendanceLogsOperation = operation({
  name: 'get-attendance-logs',
  title: 'Get attendance logs',
  description:
    'Returns clock-ins, clock-outs and breaks as they were logged, newest first, of everyone or of one person, optionally between two days. For hours worked use get-timesheets. total counts up to 10,000; beyond that total_is_exact is false.',
  area: 'Attendance',
  scopes: ['attendance:read'],
  input: GetAttendanceLogs,
  output: AttendanceLogList,
  paginated: true,
  effects: 'read',
  action: true,
  run: async ({ caller, tx }, input) => {
    const { logs, pagination } = await listAttendanceLogs(tx, input, caller.client.timezone);
    return { data: { attendance_logs: logs }, pagination };
  },
});
