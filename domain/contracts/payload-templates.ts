import { z } from 'zod';

export const TEMPLATE_MODES = ['passthrough', 'fields', 'template', 'per_event'] as const;

/** Most paths of one `fields` list, and most placeholders of one `template`. */
export const MAX_TEMPLATE_PATHS = 200;

const fields = z
  .array(z.string().max(500))
  .max(MAX_TEMPLATE_PATHS)
  .nullish()
  .describe('With mode fields: dot paths of the payload to keep, with array indexes. What is missing is skipped')
  .meta({ example: ['event', 'data.work_item.title', 'data.work_item.tags.0'] });
const template = z
  .record(z.string(), z.unknown())
  .nullish()
  .describe(
    'With mode template: the JSON object to send. `{{ path }}` in a string is filled in from the payload; alone in its string it keeps the type of the value',
  )
  .meta({
    example: {
      job_id: '{{ data.work_item.id }}',
      text: 'Job {{ data.work_item.title }} is {{ data.work_item.status }}',
    },
  });

/** How one event's payload is made. */
const EventTemplate = z
  .strictObject({
    mode: z
      .enum(['passthrough', 'fields', 'template'])
      .optional()
      .describe('passthrough (default), fields or template'),
    fields,
    template,
  })
  .meta({ id: 'EventPayloadTemplate' });

/** What a webhook makes of the default payload (spec, "Payload template"). */
export const PayloadTemplate = z
  .strictObject({
    mode: z
      .enum(TEMPLATE_MODES)
      .optional()
      .describe(
        'passthrough (default): the payload unchanged. fields: only the paths in fields. template: the object in template, filled in. per_event: the entry of the event in per_event; an event without one gets template or fields where they are given, else the whole payload',
      ),
    fields,
    template,
    per_event: z
      .record(z.string(), EventTemplate)
      .nullish()
      .describe('By event name: the mode, fields and template for that event. An entry counts before the rest')
      .meta({ example: { 'job.completed': { mode: 'fields', fields: ['data.work_item.id'] } } }),
  })
  .meta({ id: 'PayloadTemplate' });
export type PayloadTemplate = z.output<typeof PayloadTemplate>;
export type EventTemplate = z.output<typeof EventTemplate>;
