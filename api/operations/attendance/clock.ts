import { Clock, Clocked } from '../../../domain/contracts/attendance.ts';
import { clock } from '../../../domain/attendance/index.ts';
import { operation } from '../../operation.ts';

export const clockOperation = operation({
  name: 'clock',
  title: 'Clock in or out',
  description:
    'Clocks the signed-in user in or out, or begins or ends a break, and returns the log. A move that cannot follow the last one (clock_in twice) is refused with 409. Clocking out ends a break too. A session without clock_out for more than 24 hours counts as forgotten: clock_in begins a new one.',
  area: 'Attendance',
  scopes: ['attendance:write'],
  input: Clock,
  output: Clocked,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/time-attendance/clock', auth: ['jwt'], status: 201 },
  errors: ['CONFLICT'],
  run: async ({ caller, tx, services }, input) => ({
    data: await clock(tx, caller, input, { now: services.clock.now() }),
  }),
});
