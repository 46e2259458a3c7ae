import { cancelAppointment } from '../../../domain/appointments/index.ts';
import { CancelAppointment, CancelledAppointment } from '../../../domain/contracts/appointments.ts';
import { operation } from '../../operation.ts';

export const cancelAppointmentOperation = operation({
  name: 'cancel-appointment',
  title: 'Cancel an appointment',
  description:
    'Calls an appointment off: it is no longer listed. It can not be undone; to move it use update-appointment. The work item it belongs to keeps a note of it in its activity. One that is cancelled already stays so, and the call succeeds. Find the id with list-appointments.',
  area: 'Appointments',
  scopes: ['appointments:write', 'work_items:write'],
  input: CancelAppointment,
  output: CancelledAppointment,
  effects: 'destructive',
  idempotent: true,
  action: true,
  route: {
    method: 'delete',
    path: '/api/v1/appointments/{appointment_id}',
    auth: ['jwt'],
    params: ['appointment_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, { appointment_id: id }) => ({ data: await cancelAppointment(tx, caller, id) }),
});
