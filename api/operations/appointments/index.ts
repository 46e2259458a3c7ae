import { cancelAppointmentOperation } from './cancel-appointment.ts';
import { createAppointmentOperation } from './create-appointment.ts';
import { listAppointmentsOperation } from './list-appointments.ts';
import { updateAppointmentOperation } from './update-appointment.ts';
import type { Operation } from '../../operation.ts';

export const appointmentOperations: readonly Operation[] = [
  createAppointmentOperation,
  listAppointmentsOperation,
  updateAppointmentOperation,
  cancelAppointmentOperation,
];
