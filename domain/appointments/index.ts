export { createAppointment } from './appointments.service.ts';
export { cancelAppointment, updateAppointment } from './change.service.ts';
export { listAppointments } from './list.service.ts';
