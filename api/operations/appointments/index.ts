import { createAppointmentOperation } from './create-appointment.ts';
import { listAppointmentsOperation } from './list-appointments.ts';
import type { Operation } from '../../operation.ts';

export const appointmentOperations: readonly Operation[] = [createAppointmentOperation, listAppointmentsOperation];
