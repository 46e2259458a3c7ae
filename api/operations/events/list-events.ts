import { z } from 'zod';
import { EventView, ListEvents } from '../../../domain/contracts/event-log.ts';
import { listEvents } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const listEventsOperation = operation({
  name: 'list-events',
  title: 'List events',
  description:
    'Lists what has happened in the past 90 days, newest first, whether a webhook was told of it or not. For owners and admins. get-event has the data of one and its deliveries; list-event-types says what each name means. Counted up to 10,000.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: ListEvents,
  output: z.array(EventView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/events', auth: ['jwt'] },
  errors: ['FORBIDDEN'],
  run: async ({ caller, tx }, input) => {
    const { events, pagination } = await listEvents(tx, caller, input);
    return { data: events, pagination };
  },
});
