import type { Operation } from '../../operation.ts';
import { clockOperation } from './clock.ts';
import { getAttendanceLogsOperation } from './get-attendance-logs.ts';
import { getTimesheetsOperation } from './get-timesheets.ts';

export const attendanceOperations: readonly Operation[] = [
  clockOperation,
  getAttendanceLogsOperation,
  getTimesheetsOperation,
];
