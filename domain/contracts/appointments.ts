import { z } from 'zod';
import { bigIdField, dateOrMomentField, emptiable, idField, Moment, textField, windowFields } from './common.ts';
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

export const AppointmentId = bigIdField('Integer id of the appointment, from list-appointments').meta({ example: 9 });

/** Any of these beside appointment_id; at least one. What is left out stays as it is. */
export const UpdateAppointment = z.strictObject({
  appointment_id: AppointmentId,
  title: textField(500, 'What the appointment is for').meta({ example: 'Inspect the pump' }).optional(),
  scheduled_start: dateOrMomentField('When it begins; without scheduled_end it stays as long as it was')
    .meta({ example: '2026-12-01T11:00:00+02:00' })
    .optional(),
  scheduled_end: emptiable(
    dateOrMomentField('When it ends; not before scheduled_start').meta({ example: '2026-12-01T12:00:00+02:00' }),
  ),
  work_item_id: emptiable(WorkItemRef),
  contact_id: emptiable(idField('Contact to be met, from list-contacts')),
  assigned_to: emptiable(idField('User who goes there, from get-active-users').meta({ example: 3 })),
  location_name: emptiable(textField(200, 'Where it takes place')),
  notes: emptiable(textField(20_000, 'What to bring, whom to ask')),
});
export type UpdateAppointmentInput = z.output<typeof UpdateAppointment>;

export const CancelAppointment = z.strictObject({ appointment_id: AppointmentId });

export const CancelledAppointment = z
  .object({ id: z.int().describe('Integer id'), cancelled: z.literal(true), cancelled_at: Moment })
  .meta({ id: 'CancelledAppointment' });
export type CancelledAppointment = z.output<typeof CancelledAppointment>;

const IN_YOUR_ZONE =
  "in the client's time zone (ISO 8601 date, or date and time; a time is UTC unless it has an offset)";

export const ListAppointments = z.strictObject({
  work_item_id: WorkItemRef.optional(),
  assigned_to: idField('Only those of this user').meta({ example: 3 }).optional(),
  from: dateOrMomentField('')
    .describe(
      `Only those that are still going on or begin after this; a date alone is the beginning of that day ${IN_YOUR_ZONE}`,
    )
    .meta({ example: '2026-12-01' })
    .optional(),
  to: dateOrMomentField('')
    .describe(`Only those that begin before this; a date alone is the end of that day ${IN_YOUR_ZONE}`)
    .meta({ example: '2026-12-07' })
    .optional(),
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
