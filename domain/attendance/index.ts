export { addDays, startOfDay } from './calendar.ts';
export { clock } from './clock.service.ts';
export { listAttendanceLogs } from './logs.service.ts';
export { getTimesheets } from './timesheets.service.ts';
