import { listAppointments } from '../../../domain/appointments/index.ts';
import { AppointmentList, ListAppointments } from '../../../domain/contracts/appointments.ts';
import { operation } from '../../operation.ts';

export const listAppointmentsOperation = operation({
  name: 'list-appointments',
  title: 'List appointments',
  description:
    'Lists appointments in the order in which they take place: all of them, or those of one work item, of one user, or that begin within a span of time.',
  area: 'Appointments',
  scopes: ['appointments:read'],
  input: ListAppointments,
  output: AppointmentList,
  paginated: true,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { appointments, pagination } = await listAppointments(tx, input);
    return { data: { appointments }, pagination };
  },
});
