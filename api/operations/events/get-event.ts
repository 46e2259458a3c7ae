import { z } from 'zod';
import { EventDetail, EventId } from '../../../domain/contracts/event-log.ts';
import { getEvent } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const getEventOperation = operation({
  name: 'get-event',
  title: 'Get an event',
  description:
    'Returns one event with its data and the deliveries that came of it: to which webhook, and how each stands. For owners and admins. The log of a webhook has the requests and answers of a delivery.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: z.strictObject({ event_id: EventId }),
  output: EventDetail,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/events/{event_id}', auth: ['jwt'], params: ['event_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await getEvent(tx, caller, input.event_id) }),
});
