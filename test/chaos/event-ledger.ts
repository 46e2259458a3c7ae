import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ReceivedRequest, Reply } from '../support/receiver.ts';

const PAGE = 200;
const PAUSE_MS = 250;

export interface DeliveryRecord {
  id: number;
  event_id: string;
  status: string;
  sends: number;
  response_status: number | null;
}

/** The event's number, which the test gave it. */
export function numberOf({ json }: ReceivedRequest): number {
  return (json as { data: { n: number } }).data.n;
}

/**
 * Publishes numbered events at an API that is killed over and over, and notes which were accepted. A call without an
 * answer is repeated under its Idempotency-Key until there is one.
 */
export class EventPublisher {
  /** Event id of each number that was accepted. */
  readonly accepted = new Map<number, string>();
  readonly #url: string;
  readonly #key: string;
  // Not the global one: connections to a killed API must not outlive the test.
  readonly #agent = new Agent({ connections: 32, headersTimeout: 10_000 });
  readonly #pending = new Set<Promise<void>>();

  constructor(apiUrl: string, apiKey: string) {
    this.#url = `${apiUrl}/api/v1/events`;
    this.#key = apiKey;
  }

  /** Publishes at a constant rate until told to stop; answers how many. */
  async run(perSecond: number, isOver: () => boolean): Promise<number> {
    const startedAt = performance.now();
    let n = 0;
    for (; !isOver(); n += 1) {
      const wait = startedAt + (n * 1_000) / perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      const publishing = this.#publish(n);
      this.#pending.add(publishing);
      void publishing.finally(() => this.#pending.delete(publishing));
    }
    await Promise.all(this.#pending);
    return n;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #publish(n: number): Promise<void> {
    for (;;) {
      const eventId = await this.#call(n).catch(() => undefined);
      if (eventId !== undefined) {
        this.accepted.set(n, eventId);
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  async #call(n: number): Promise<string | undefined> {
    const { statusCode, body } = await request(this.#url, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': this.#key,
        'idempotency-key': `chaos-${String(n)}`,
      },
      body: JSON.stringify({ event: 'custom.chaos', data: { n } }),
    });
    const answer = (await body.json()) as { data?: { event_id: string } };
    // 409: the call before is still at work, or died at it and is found out about soon. 5xx: something is away.
    if (statusCode !== 202 && statusCode !== 409 && statusCode < 500)
      throw new Error(`publishing answered ${String(statusCode)}: ${JSON.stringify(answer)}`);
    return statusCode === 202 ? answer.data?.event_id : undefined;
  }
}

/** What an endpoint answered to each delivery, by its Idempotency-Key: the truth that the delivery records are held against. */
export class AnswerLedger {
  readonly answers = new Map<string, number[]>();

  /** A responder that notes what `statusOf` says for the event's number and how often it came. */
  respond(statusOf: (n: number, time: number) => number): (received: ReceivedRequest) => Reply {
    return (received) => {
      const key = String(received.headers['idempotency-key']);
      const given = this.answers.get(key) ?? [];
      const status = statusOf(numberOf(received), given.length + 1);
      this.answers.set(key, [...given, status]);
      return status;
    };
  }

  of(eventId: string): readonly number[] {
    return this.answers.get(`evt_${eventId}`) ?? [];
  }
}

/** A user of the demo tenant, signed in. */
export class Owner {
  readonly #apiUrl: string;
  readonly #credentials: { email: string; password: string };
  #token = '';

  constructor(apiUrl: string, credentials: { email: string; password: string }) {
    this.#apiUrl = apiUrl;
    this.#credentials = credentials;
  }

  async signIn(): Promise<void> {
    const { email, password } = this.#credentials;
    const answer = await this.#call('POST', '/api/v1/auth/login', { email, password });
    this.#token = (answer['data'] as { access_token: string }).access_token;
  }

  async createWebhook(input: Record<string, unknown>): Promise<number> {
    const answer = await this.#call('POST', '/api/v1/work-items/webhooks', input);
    return (answer['data'] as { id: number }).id;
  }

  /** All deliveries of a webhook. */
  async deliveries(webhookId: number, status?: string): Promise<DeliveryRecord[]> {
    const found: DeliveryRecord[] = [];
    const filter = status === undefined ? '' : `&status=${status}`;
    for (;;) {
      const window = `limit=${String(PAGE)}&offset=${String(found.length)}${filter}`;
      const path = `/api/v1/work-items/webhooks/${String(webhookId)}/deliveries?${window}`;
      const page = (await this.#call('GET', path))['data'] as DeliveryRecord[];
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  async #call(method: 'GET' | 'POST', path: string, input?: object): Promise<Record<string, unknown>> {
    const { statusCode, body } = await request(`${this.#apiUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    });
    const answer = (await body.json()) as Record<string, unknown>;
    if (statusCode >= 300) throw new Error(`${path} answered ${String(statusCode)}: ${JSON.stringify(answer)}`);
    return answer;
  }
}
