import { z } from 'zod';
import { dateOrMomentField, Moment, windowFields } from './common.ts';
import { DELIVERY_STATUSES } from './deliveries.ts';
import { PayloadTemplate } from './payload-templates.ts';
import { WorkItemRef } from './work-items.ts';

export const EventId = z
  .uuid()
  .describe('UUID of the event, as in metadata.event_id of its payloads')
  .meta({ example: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10' });
const name = z.string().min(1).max(100);

export const ListEvents = z.strictObject({
  event: name
    .describe('Only events of this name, as list-event-types has it; of your own ones, the whole name')
    .meta({ example: 'job.created' })
    .optional(),
  work_item_id: WorkItemRef.describe(
    'Only events about this work item (UUID, integer id as text, or item number)',
  ).optional(),
  from: dateOrMomentField('Only events that happened at or after this').optional(),
  to: dateOrMomentField('Only events that happened before this').optional(),
  ...windowFields(50, 200),
});
export type ListEventsInput = z.output<typeof ListEvents>;

const entry = {
  event_id: EventId,
  event: z.string().describe('Name of the event').meta({ example: 'job.created' }),
  work_item_id: z.int().nullable().describe('Integer id of the work item that it is about').meta({ example: 4711 }),
  occurred_at: Moment,
  dispatched_at: Moment.nullable().describe('When it was matched with the webhooks; null: it is about to be'),
  published_by: z
    .string()
    .nullable()
    .describe('Who published it, as `<type>:<id>`; null for what happened on the platform')
    .meta({ example: 'api_key:12' }),
  is_addressed: z.boolean().describe('Made for one webhook, a test or a verification; no other was matched with it'),
};

/** An event as the list shows it. */
export const EventView = z.object(entry).meta({ id: 'Event' });
export type EventView = z.output<typeof EventView>;

/** A delivery of an event, in short. */
export const EventDeliveryView = z
  .object({
    delivery_id: z.int().meta({ example: 90210 }),
    webhook_id: z.int().nullable().describe('null: the callback of a Document AI call').meta({ example: 4 }),
    status: z.enum(DELIVERY_STATUSES).meta({ example: 'success' }),
    response_status: z.int().nullable().describe('HTTP status of the last answer').meta({ example: 200 }),
    is_test: z.boolean().describe('A test send of its webhook'),
    created_at: Moment,
    delivered_at: Moment.nullable(),
  })
  .meta({ id: 'EventDelivery' });
export type EventDeliveryView = z.output<typeof EventDeliveryView>;

/** An event with its data and what became of it. */
export const EventDetail = z
  .object({
    ...entry,
    data: z.record(z.string(), z.unknown()).describe('As payloads carry it'),
    deliveries: z.array(EventDeliveryView).describe('By webhook, the first 200; tests and verifications included'),
  })
  .meta({ id: 'EventDetail' });
export type EventDetail = z.output<typeof EventDetail>;

export const ListEventTypes = z.strictObject({
  event: name
    .describe('Only this event; custom.* is the entry of your own ones')
    .meta({ example: 'job.created' })
    .optional(),
  ...windowFields(20, 100),
});
export type ListEventTypesInput = z.output<typeof ListEventTypes>;

/** What the catalogue says of an event. */
export const EventTypeView = z
  .object({
    event: z.string().describe('Its name').meta({ example: 'job.created' }),
    description: z.string().describe('When it happens').meta({ example: 'A job was created.' }),
    is_available: z.boolean().describe('Whether webhooks of the client can subscribe to it: the finance tier decides'),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema (2020-12) of `data`'),
    sample_payload: z.record(z.string(), z.unknown()).describe('A default payload, with made-up data'),
  })
  .meta({ id: 'EventType' });
export type EventTypeView = z.output<typeof EventTypeView>;

export const PreviewTemplate = z.strictObject({
  event: name
    .describe('Name of the event, a custom one included; with event_id, the name of that event')
    .meta({ example: 'job.created' }),
  template: PayloadTemplate.nullable().describe(
    'The payload template to try, as payload_template of a webhook; null: none',
  ),
  event_id: EventId.describe(
    'A stored event (see list-events) to try it on; left out: the sample of the event. For owners and admins',
  ).optional(),
  filter: z
    .record(z.string(), z.unknown())
    .nullable()
    .default(null)
    .describe('A filter to try too, as filter of a webhook: matches tells whether it lets the event through')
    .meta({ example: { 'data.work_item.priority': { $in: ['high', 'urgent'] } } }),
});
export type PreviewTemplateInput = z.output<typeof PreviewTemplate>;

export const TemplatePreview = z
  .object({
    event: z.string().meta({ example: 'job.created' }),
    sample_payload: z.record(z.string(), z.unknown()).describe('The default payload'),
    rendered_payload: z.record(z.string(), z.unknown()).describe('What the template makes of it'),
    matches: z.boolean().nullable().describe('Whether the filter lets the event through; null where none was given'),
  })
  .meta({ id: 'TemplatePreview' });
export type TemplatePreview = z.output<typeof TemplatePreview>;
