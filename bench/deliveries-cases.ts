import { ABSENT_EVENT, COMMON_EVENT, RARE_EVENT, UNCOMMON_EVENT } from './deliveries-seed.ts';
import type { SeededWebhooks } from './deliveries-seed.ts';

/** A request to the delivery or event log, with other values in each call. */
export interface LogCase {
  name: string;
  operation: string;
  path: (n: number) => string;
  input: (n: number) => Record<string, unknown>;
}

export interface LogSamples {
  deliveryIds: readonly number[];
  failedIds: readonly number[];
  eventIds: readonly string[];
}

const WEBHOOKS = '/api/v1/work-items/webhooks';
const DAY_MS = 86_400_000;
const EVENTS = [
  ['common', COMMON_EVENT],
  ['1 in 100', UNCOMMON_EVENT],
  ['1 in 10,000', RARE_EVENT],
  ['never', ABSENT_EVENT],
] as const;

type Maker = (name: string, query?: (n: number) => object) => LogCase;

function pick<T>(values: readonly T[], n: number): T {
  return values[(n * 7919) % values.length] as T;
}

function day(n: number): object {
  const from = Date.now() - (2 + (n % 26)) * DAY_MS;
  return { from: new Date(from).toISOString(), to: new Date(from + DAY_MS).toISOString() };
}

function listCases(busy: Maker, failing: Maker, samples: LogSamples): LogCase[] {
  return [
    ...(['pending', 'retrying', 'success', 'failed', 'expired'] as const).flatMap((status) => [
      busy(`status ${status}`, () => ({ status })),
      failing(`status ${status}, of the failing one`, () => ({ status })),
    ]),
    ...EVENTS.flatMap(([often, event]) => [
      busy(`event ${often}`, () => ({ event })),
      failing(`event ${often} + failed, of the failing one`, () => ({ event, status: 'failed' })),
    ]),
    busy('event 1 in 100, of a day', (n) => ({ event: UNCOMMON_EVENT, ...day(n) })),
    busy('search: error', () => ({ search: 'upstream connect' })),
    failing('search: error, of the failing one', () => ({ search: 'upstream connect' })),
    failing('search: no such error', () => ({ search: 'certificate' })),
    busy('search: event id', (n) => ({ search: pick(samples.eventIds, n) })),
  ];
}

/** Every read of the logs, as someone looks at a webhook with a million deliveries and at one that fails. */
export function logCases({ busyId, failingId }: SeededWebhooks, samples: LogSamples): LogCase[] {
  const of = (operation: string, base: string, fixed: object) => {
    const make: Maker = (name, query = () => ({})) => ({
      name: `${operation} ${name}`,
      operation,
      path: (n) =>
        `${base}?${new URLSearchParams(Object.entries(query(n)).map(([k, v]): [string, string] => [k, String(v)])).toString()}`,
      input: (n) => ({ ...fixed, ...query(n) }),
    });
    return make;
  };
  const busy = of('list-deliveries', `${WEBHOOKS}/${String(busyId)}/deliveries`, { id: busyId });
  const failing = of('list-deliveries', `${WEBHOOKS}/${String(failingId)}/deliveries`, { id: failingId });
  const dead = of('list-dead-letters', `${WEBHOOKS}/${String(failingId)}/dlq`, { id: failingId });
  const events = of('list-events', '/api/v1/events', {});
  const delivery = (name: string, webhookId: number, ids: readonly number[]): LogCase => ({
    name: `get-delivery ${name}`,
    operation: 'get-delivery',
    path: (n) => `${WEBHOOKS}/${String(webhookId)}/deliveries/${String(pick(ids, n))}`,
    input: (n) => ({ id: webhookId, delivery_id: pick(ids, n) }),
  });
  return [
    busy('all'),
    busy('from the 9,000th on', () => ({ offset: 9_000 })),
    busy('of a day', day),
    ...listCases(busy, failing, samples),
    delivery('that succeeded', busyId, samples.deliveryIds),
    delivery('that failed', failingId, samples.failedIds),
    dead(''),
    dead('oldest first', () => ({ order: 'oldest' })),
    dead('from the 9,000th on', () => ({ offset: 9_000 })),
    dead('of a day', day),
    ...EVENTS.map(([often, event]) => dead(`event ${often}`, () => ({ event }))),
    events('all'),
    events('from the 9,000th on', () => ({ offset: 9_000 })),
    events('of a day', day),
    ...EVENTS.map(([often, event]) => events(`event ${often}`, () => ({ event }))),
    events('event 1 in 100, of a day', (n) => ({ event: UNCOMMON_EVENT, ...day(n) })),
    events('of a work item', (n) => ({ work_item_id: String(1 + ((n * 7919) % 100_000)) })),
    {
      name: 'get-event',
      operation: 'get-event',
      path: (n) => `/api/v1/events/${pick(samples.eventIds, n)}`,
      input: (n) => ({ event_id: pick(samples.eventIds, n) }),
    },
  ];
}
