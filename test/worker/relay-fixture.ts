import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { SEARCH_ATTRIBUTE } from '../../domain/contracts/workflows.ts';
import { systemClock } from '../../platform/clock.ts';
import { GuardedHttp } from '../../platform/http/guarded-client.ts';
import { statement } from '../../platform/db/statement.ts';
import { TemporalGateway } from '../../platform/temporal.ts';
import { Relay } from '../../worker/relay/relay.ts';
import { startReceiver, testDatabase, uniqueName } from '../support/stack.ts';
import type { Receiver, TestDatabase } from '../support/stack.ts';
import { Tenant } from './tenant.ts';

/** Where no Temporal listens: most of what a relay does must not need one. */
const NOWHERE = '127.0.0.1:1';
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'workflow_starts', 'webhooks', 'webhook_keys'];

/** What each test of a relay has: a tenant, a receiver, and relays that are stopped at its end. */
export interface RelayFixture {
  tenant: Tenant;
  receiver: Receiver;
  /** The gateway of the relay that was started last. */
  gateway: TemporalGateway;
  startRelay(temporalAddress?: string): Promise<Relay>;
}

/** Registers the hooks of a test file; the fixture is made anew before each test. */
export function relayFixture(): RelayFixture {
  let database: TestDatabase;
  let relays: Relay[] = [];
  let clients: GuardedHttp[] = [];
  let gateways: TemporalGateway[] = [];
  const fixture = {
    async startRelay(address = NOWHERE): Promise<Relay> {
      const http = new GuardedHttp({ allowPrivateTargets: true });
      const temporal = new TemporalGateway({
        address,
        namespace: 'default',
        taskQueuePrefix: `${database.name}-nobody-`,
        searchAttributes: Object.values(SEARCH_ATTRIBUTE),
      });
      const { system: db, vault, log } = fixture.tenant;
      const relay = new Relay({ db, listenUrl: database.systemUrl, vault, http, temporal, clock: systemClock, log });
      relays.push(relay);
      clients.push(http);
      gateways.push(temporal);
      fixture.gateway = temporal;
      await relay.start();
      return relay;
    },
  } as RelayFixture;

  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    fixture.tenant = await Tenant.create(database, uniqueName('client'));
    fixture.receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop(200)));
    await Promise.all([...clients.map((http) => http.destroy()), ...gateways.map((gateway) => gateway.close())]);
    [relays, clients, gateways] = [[], [], []];
    await fixture.receiver.close();
    for (const table of TABLES) await fixture.tenant.system.query(statement(`delete from ${table}`));
    await fixture.tenant.close();
  });
  afterAll(() => database.drop());
  return fixture;
}
