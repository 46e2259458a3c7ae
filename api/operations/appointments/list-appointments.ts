import { listAppointments } from '../../../domain/appointments/index.ts';
import { AppointmentList, ListAppointments } from '../../../domain/contracts/appointments.ts';
import { operation } from '../../operation.ts';

export const listAppointmentsOperation = operation({
  name: 'list-appointments',
  title: 'List appointments',
  description:
    'Lists appointments in the order in which they take place: all of them, or those of one work item, of one user, or that overlap a span of time (from, to): those that begin in it and those that go on in it. One without an end takes no time. With assigned_to, from and to it tells whether somebody is free.',
  area: 'Appointments',
  scopes: ['appointments:read'],
  input: ListAppointments,
  output: AppointmentList,
  paginated: true,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/appointments', auth: ['jwt'], unwrap: 'appointments' },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => {
    const { appointments, pagination } = await listAppointments(tx, input, caller.client.timezone);
    return { data: { appointments }, pagination };
  },
});
