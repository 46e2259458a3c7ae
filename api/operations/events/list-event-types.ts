import { z } from 'zod';
import { EventTypeView, ListEventTypes } from '../../../domain/contracts/event-log.ts';
import { listEventTypes } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const listEventTypesOperation = operation({
  name: 'list-event-types',
  title: 'List event types',
  description:
    'Lists the events that exist, each with when it happens, the JSON Schema of its data, a sample payload, and whether webhooks of the client can subscribe to it.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: ListEventTypes,
  output: z.array(EventTypeView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/event-types', auth: ['jwt'] },
  // Nothing is read from the database: the catalogue is part of the program.
  run: ({ caller }, input) => {
    const { types, pagination } = listEventTypes(caller, input);
    return Promise.resolve({ data: types, pagination });
  },
});
