import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { runScript } from './pinned.ts';
import type { RunningScript } from './pinned.ts';
import type { SinkCommand, SinkState } from './sink.ts';

/** The client of shared/bench/webhooks, so that the work is the peers': node:http, one agent, everything unpinned. */
export type Publish = (n: number) => Promise<void>;

export const clock = (): number => performance.timeOrigin + performance.now();

export function publisher(
  url: string,
  connections: number,
  headers: Readonly<Record<string, string>>,
  body: (n: number) => unknown,
): Publish {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (n) =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(JSON.stringify(body(n)));
      const fields = { ...headers, 'content-type': 'application/json', 'content-length': bytes.length };
      const sent = request(url, { agent, method: 'POST', headers: fields }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if (Math.floor((response.statusCode ?? 0) / 100) === 2) resolve();
          else reject(new Error(`${url} answered ${String(response.statusCode)}: ${Buffer.concat(chunks).toString()}`));
        });
      });
      sent.on('error', reject);
      sent.end(bytes);
    });
}

/** The payload of the peers' events (0.5 kB, like a small Stripe event). */
export function payload(n: number): Record<string, unknown> {
  return {
    n,
    object: 'invoice',
    customer: 'cus_NffrFeUfNV2Hib',
    currency: 'usd',
    amount_due: 1099 + n,
    status: 'paid',
    lines: [{ id: 'il_1', description: 'Subscription update', amount: 1099, quantity: 1 }],
    metadata: { order_id: `ord_${String(n)}`, source: 'bench' },
    billing_address: {
      line1: '510 Townsend St',
      city: 'San Francisco',
      state: 'CA',
      postal_code: '94103',
      country: 'US',
    },
    note: 'x'.repeat(120),
  };
}

const DELIVERY_TIMEOUT_MS = 120_000;

/** The endpoints that everything is delivered to, in a process of its own. */
export class Sink {
  readonly #script: RunningScript;

  private constructor(script: RunningScript) {
    this.#script = script;
  }

  static async start(): Promise<Sink> {
    return new Sink(await runScript('bench/sink.ts'));
  }

  /** Address of one of its endpoints. */
  url(path = '/hook'): string {
    return `${String(this.#script.ready['url'])}${path}`;
  }

  ask(command: SinkCommand): Promise<SinkState> {
    const { child } = this.#script;
    return new Promise((resolve) => {
      child.once('message', (message: { state: SinkState }) => {
        resolve(message.state);
      });
      child.send(command);
    });
  }

  /** Waits until that many events have come, or no more of them in time. */
  async until(count: number, timeoutMs = DELIVERY_TIMEOUT_MS): Promise<SinkState> {
    const deadline = clock() + timeoutMs;
    for (;;) {
      const state = await this.ask('count');
      if (state.count >= count || clock() > deadline) return state;
      await sleep(50);
    }
  }

  stop(): Promise<void> {
    return this.#script.stop();
  }
}

/** Publishes `count` events in a closed loop; answers when it began and when the last was accepted. */
export async function burst(
  publish: Publish,
  count: number,
  connections: number,
): Promise<{ from: number; to: number }> {
  let next = 0;
  const from = clock();
  const lane = async (): Promise<void> => {
    while (next < count) await publish(next++);
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { from, to: clock() };
}

/** Publishes at a constant rate, whatever the answers take; tells when each event was sent and accepted. */
export async function steady(
  publish: Publish,
  perSecond: number,
  seconds: number,
): Promise<{ sent: Map<number, number>; accepted: Map<number, number> }> {
  const sent = new Map<number, number>();
  const accepted = new Map<number, number>();
  const pending: Promise<void>[] = [];
  const start = clock() + 200;
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const wait = start + (n * 1_000) / perSecond - clock();
    if (wait > 0) await sleep(wait);
    sent.set(n, clock());
    pending.push(publish(n).then(() => void accepted.set(n, clock())));
  }
  await Promise.all(pending);
  return { sent, accepted };
}
