import { payload, publisher } from '../publisher.ts';
import type { Publish, Sink } from '../publisher.ts';
import type { BenchOptions } from '../options.ts';
import type { BenchStack } from '../stack.ts';
import type { BenchKey, BenchTenants } from '../tenants.ts';

/** What every section of the webhooks' bench works with. */
export interface Scene {
  options: BenchOptions;
  stack: BenchStack;
  tenants: BenchTenants;
  sink: Sink;
  /** The least that a server can do for an accepted event: bare Express and one insert, on the same database. */
  publishToLimit: Publish;
}

/** The two ways for an event to come to be. */
export type Source = 'POST /events' | 'create-work-item';

export const EVENT = 'custom.invoice.paid';

const BODY: Readonly<Record<Source, (n: number) => unknown>> = {
  'POST /events': (n) => ({ event: EVENT, data: payload(n) }),
  'create-work-item': workItem,
};
const PATH: Readonly<Record<Source, string>> = {
  'POST /events': '/api/v1/events',
  'create-work-item': '/api/v1/public/data',
};
/** What a webhook subscribes to for the events of a source. */
export const NAME_OF: Readonly<Record<Source, string>> = { 'POST /events': EVENT, 'create-work-item': 'job.created' };

export function workItem(n: number): unknown {
  return { action: 'create-work-item', item_type: 'job', title: 'Invoice paid', custom_fields: payload(n) };
}

/** A publisher with the client's key. */
export function publisherOf(
  { stack, options }: Scene,
  { apiKey }: BenchKey,
  source: Source,
  body: (n: number) => unknown = BODY[source],
): Publish {
  return publisher(`${stack.apiUrl}${PATH[source]}`, options.connections, { 'x-api-key': apiKey }, body);
}

/** A new client whose webhooks send to these paths of the sink, and its key. */
export async function subscribed(
  { tenants, sink }: Scene,
  events: readonly string[],
  paths: readonly string[] = ['/hook'],
  settings: Record<string, unknown> = {},
): Promise<BenchKey> {
  const [key] = await tenants.create(1, 1);
  if (key === undefined) throw new Error('no client was made');
  for (const path of paths) await tenants.subscribe(key.clientId, sink.url(path), events, settings);
  return key;
}

const WARM_UP_FROM = 9_000_000;

/** Sends the harness' 100 events that don't count, and forgets them. */
export async function warmUp({ sink }: Scene, publish: Publish, deliveriesPerEvent = 1, events = 100): Promise<void> {
  await sink.ask('reset');
  for (let index = 0; index < events; index += 1) await publish(WARM_UP_FROM + index);
  const { count } = await sink.until(events * deliveriesPerEvent, 30_000);
  if (count < events * deliveriesPerEvent) throw new Error(`${String(count)} warm-up deliveries of ${String(events)}`);
  await sink.ask('reset');
}
