import { getEventOperation } from './get-event.ts';
import { listEventTypesOperation } from './list-event-types.ts';
import { listEventsOperation } from './list-events.ts';
import { publishEventOperation } from './publish-event.ts';
import type { Operation } from '../../operation.ts';

export const eventOperations: readonly Operation[] = [
  listEventsOperation,
  publishEventOperation,
  getEventOperation,
  listEventTypesOperation,
];
