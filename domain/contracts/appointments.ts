import { z } from 'zod';
import { dateOrMomentField, idField, Moment, textField, windowFields } from './common.ts';
import { WorkItemRef } from './work-items.ts';

export const CreateAppointment = z.strictObject({
  title: textField(500, 'What the appointment is for').meta({ example: 'Inspect the pump' }),
  scheduled_start: dateOrMomentField('When it begins').meta({ example: '2026-12-01T09:00:00+02:00' }),
  scheduled_end: dateOrMomentField('When it ends; not before scheduled_start')
    .meta({ example: '2026-12-01T10:00:00+02:00' })
    .optional(),
  work_item_id: WorkItemRef.optional(),
  contact_id: idField('Contact to be met, from list-contacts').meta({ example: 12 }).optional(),
  assigned_to: idField('User who goes there, from get-active-users').meta({ example: 3 }).optional(),
  location_name: textField(200, 'Where it takes place').meta({ example: 'North gate' }).optional(),
  notes: textField(20_000, 'What to bring, whom to ask').optional(),
});
export type CreateAppointmentInput = z.output<typeof CreateAppointment>;

export const ListAppointments = z.strictObject({
  work_item_id: WorkItemRef.optional(),
  assigned_to: idField('Only those of this user').meta({ example: 3 }).optional(),
  from: dateOrMomentField('Only those that begin at this moment or later').meta({ example: '2026-12-01' }).optional(),
  to: dateOrMomentField('Only those that begin before this moment').meta({ example: '2026-12-08' }).optional(),
  ...windowFields(),
});
export type ListAppointmentsInput = z.output<typeof ListAppointments>;

export const AppointmentView = z
  .object({
    id: z.int().describe('Integer id').meta({ example: 9 }),
    title: z.string().meta({ example: 'Inspect the pump' }),
    scheduled_start: Moment,
    scheduled_end: Moment.nullable(),
    work_item_id: z.uuid().nullable().describe('UUID of the work item it belongs to'),
    contact_id: z.int().nullable(),
    assigned_to: z.int().nullable().describe('User id'),
    location_name: z.string().nullable().meta({ example: 'North gate' }),
    notes: z.string().nullable(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Appointment' });
export type Appointment = z.output<typeof AppointmentView>;

export const AppointmentList = z.object({ appointments: z.array(AppointmentView) });
