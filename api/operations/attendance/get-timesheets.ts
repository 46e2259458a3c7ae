import { GetTimesheets, TimesheetList } from '../../../domain/contracts/attendance.ts';
import { getTimesheets } from '../../../domain/attendance/index.ts';
import { operation } from '../../operation.ts';

export const getTimesheetsOperation = operation({
  name: 'get-timesheets',
  title: 'Get timesheets',
  description:
    "Returns one timesheet per person who clocked around the days asked for, by user id: minutes worked and on break, in total and per day or week of the client's time zone. Work over midnight is split at midnight; who is still in counts up to now (is_open); a forgotten clock-out is flagged (missing_clock_out). For the single logs use get-attendance-logs.",
  area: 'Attendance',
  scopes: ['timesheets:read'],
  input: GetTimesheets,
  output: TimesheetList,
  paginated: true,
  effects: 'read',
  action: true,
  run: async ({ caller, tx, services }, input) => {
    const { timezone } = caller.client;
    const { timesheets, pagination } = await getTimesheets(tx, input, { timezone, now: services.clock.now() });
    return { data: { timesheets }, pagination };
  },
});
