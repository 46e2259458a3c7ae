export { createAppointment, listAppointments } from './appointments.service.ts';
