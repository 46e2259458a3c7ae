import { z } from 'zod';
import { Moment } from './common.ts';
import { WorkItemRef } from './work-items.ts';

/** Largest `data` of a published event, as JSON text. */
export const MAX_EVENT_DATA_BYTES = 262_144;

export const PublishEvent = z.strictObject({
  event: z
    .string()
    .max(100)
    .regex(
      /^custom\.[a-z0-9_]+(\.[a-z0-9_]+)*$/,
      'must be custom.<name>, the name of lower-case letters, digits and _, in parts joined by dots',
    )
    .describe(
      'Name of the event: custom. and a name of your own, of lower-case letters, digits and underscores, in parts joined by dots. Webhooks subscribe to it by this very name',
    )
    .meta({ example: 'custom.order.shipped' }),
  data: z
    .record(z.string(), z.unknown())
    .describe('What happened: any JSON object, at most 256 KiB. Receivers get it as `data` of the payload')
    .meta({ example: { order_id: 'ord_1042', carrier: 'DHL', parcels: 2 } }),
  work_item_id: WorkItemRef.describe(
    'Work item that the event is about (UUID, or integer id as text): the event is listed with it, and a webhook with ordering per_item delivers the events of one item in order',
  ).optional(),
});
export type PublishEventInput = z.output<typeof PublishEvent>;

export const PublishedEvent = z
  .object({
    event_id: z
      .uuid()
      .describe('Id of the event; receivers find it in metadata.event_id and, as evt_<id>, in Idempotency-Key'),
    event: z.string().describe('Its name'),
    occurred_at: Moment,
  })
  .describe('The accepted event')
  .meta({ id: 'PublishedEvent' });
export type PublishedEventView = z.output<typeof PublishedEvent>;
