import { createAppointment } from '../../../domain/appointments/index.ts';
import { AppointmentView, CreateAppointment } from '../../../domain/contracts/appointments.ts';
import { operation } from '../../operation.ts';

export const createAppointmentOperation = operation({
  name: 'create-appointment',
  title: 'Make an appointment',
  description:
    'Makes an appointment, for a work item or on its own. Look with list-appointments (assigned_to, from, to) first whether the person is free: overlaps are not refused. Sends appointment.created.',
  area: 'Appointments',
  scopes: ['appointments:write', 'work_items:write'],
  input: CreateAppointment,
  output: AppointmentView,
  effects: 'write',
  action: true,
  route: { method: 'post', path: '/api/v1/appointments', auth: ['jwt'], status: 201 },
  run: async ({ caller, tx }, input) => ({ data: await createAppointment(tx, caller, input) }),
});
