import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { outboxGauges } from '../domain/outbox/index.ts';
import { webhookGauges } from '../domain/webhooks/index.ts';
import type { SystemDatabase } from '../platform/db/database.ts';
import type { Relay, RelayObserver } from './relay/relay.ts';

const SEND_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A worker's metrics, and the little HTTP server that shows them. */
export interface WorkerMetrics {
  registry: Registry;
  /** Listens; resolves to the address of the metrics. */
  listen(host: string, port: number): Promise<string>;
  close(): Promise<void>;
}

export function createWorkerMetrics(health: () => boolean): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let server: Server | undefined;
  return {
    registry,
    async listen(host, port) {
      const listening = createServer((request, response) => void answer(registry, health, request.url, response));
      server = listening;
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, host, resolve);
      });
      return `http://${host}:${String((listening.address() as AddressInfo).port)}/metrics`;
    },
    async close() {
      const closing = server;
      closing?.closeAllConnections();
      if (closing !== undefined) await new Promise((resolve) => closing.close(resolve));
    },
  };
}

/** Counts first sends as they end; retries are counted by the activity through the same observer. */
export function sendObserver(registry: Registry): RelayObserver {
  const registers = [registry];
  const sends = new Counter({
    name: 'webhook_sends_total',
    help: 'HTTP requests of deliveries, by what they came to',
    labelNames: ['result'],
    registers,
  });
  const duration = new Histogram({
    name: 'webhook_send_duration_seconds',
    help: 'From the request to the last byte of its answer',
    buckets: SEND_SECONDS,
    registers,
  });
  return {
    sent(result, durationMs) {
      sends.inc({ result });
      if (result !== 'local_failure') duration.observe(durationMs / 1_000);
    },
  };
}

/** What a relay holds in memory, and what waits in the outbox. */
export function observeRelay(registry: Registry, relay: Relay, system: SystemDatabase): void {
  const registers = [registry];
  const fromRelay = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
  fromRelay('relay_deliveries_held', 'Deliveries leased by this relay', () => relay.load.held);
  fromRelay('relay_sends_in_flight', 'HTTP requests under way', () => relay.load.inFlight);
  fromRelay(
    'relay_outcomes_unrecorded',
    'Sends that ended and are not in the database yet',
    () => relay.load.unrecorded,
  );
  outboxGauges(registry, system);
  webhookGauges(registry, system);
}

async function answer(
  registry: Registry,
  health: () => boolean,
  url: string | undefined,
  response: ServerResponse,
): Promise<void> {
  if (url === '/metrics') {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } else if (url === '/healthz') {
    const isWell = health();
    response.writeHead(isWell ? 200 : 503, { 'content-type': 'text/plain' }).end(isWell ? 'ok\n' : 'not ready\n');
  } else {
    response.writeHead(404).end();
  }
}
