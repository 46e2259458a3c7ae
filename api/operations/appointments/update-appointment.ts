import { updateAppointment } from '../../../domain/appointments/index.ts';
import { AppointmentView, UpdateAppointment } from '../../../domain/contracts/appointments.ts';
import { operation } from '../../operation.ts';

export const updateAppointmentOperation = operation({
  name: 'update-appointment',
  title: 'Move or change an appointment',
  description:
    'Changes the given fields of an appointment and leaves all others as they are; null empties an optional field. scheduled_start alone moves it: it stays as long as it was. Look with list-appointments for its id, and whether the person is free then: overlaps are not refused. To call it off use cancel-appointment. Returns the appointment after the change.',
  area: 'Appointments',
  scopes: ['appointments:write', 'work_items:write'],
  input: UpdateAppointment,
  output: AppointmentView,
  effects: 'write',
  idempotent: true,
  action: true,
  route: {
    method: 'patch',
    path: '/api/v1/appointments/{appointment_id}',
    auth: ['jwt'],
    params: ['appointment_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await updateAppointment(tx, caller, input) }),
});
