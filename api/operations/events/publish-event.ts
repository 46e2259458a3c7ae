import { PublishedEvent, PublishEvent } from '../../../domain/contracts/publish-event.ts';
import { publishEvent } from '../../../domain/events/index.ts';
import { namedWorkItem } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const publishEventOperation = operation({
  name: 'publish-event',
  title: 'Publish an event of your own',
  description:
    'Reports that something happened in a system of yours. The event is kept for 90 days and sent to every active webhook of the client that is subscribed to its name. Each call makes a new event: send an Idempotency-Key, so that a call that is repeated after a lost answer makes no second one. Returns the event_id once the event is stored; deliveries follow and are not waited for.',
  area: 'Webhooks',
  scopes: ['webhooks:write'],
  input: PublishEvent,
  output: PublishedEvent,
  effects: 'write',
  joins: true,
  action: true,
  route: { method: 'post', path: '/api/v1/events', auth: ['api_key', 'jwt'], status: 202 },
  run: async ({ caller, tx }, input) => {
    const { work_item_id: ref } = input;
    const item = ref === undefined ? undefined : await namedWorkItem(tx, 'work_item_id', ref);
    return { data: await publishEvent(tx, caller, input, item?.id ?? null) };
  },
});
