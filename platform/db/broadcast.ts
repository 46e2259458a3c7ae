import { randomUUID } from 'node:crypto';
import type { Logger } from '../log.ts';
import type { SystemDatabase } from './database.ts';
import { Listener } from './listener.ts';
import { statement } from './statement.ts';

/** How long a publisher waits for processes that don't answer: as long as anything told may still be cached. */
const ACKNOWLEDGE_MS = 1_000;

const CHANNEL = 'broadcast';
const ACKNOWLEDGEMENTS = 'broadcast_ack_';

// One statement: the sessions that listen before the message goes out are those that will hear it.
const PUBLISH = statement(`
  select pg_notify($1, $2),
    array(select pid from pg_stat_activity where datname = current_database() and application_name = $3) as listeners`);

interface Message {
  id: string;
  topic: string;
  payload: string;
  /** Channel on which the publisher waits for the acknowledgements. */
  replyTo: string;
}

interface Waiting {
  /** Sessions that have acknowledged. */
  heard: Set<number>;
  /** Sessions that must; unknown until the message is out. */
  expected: readonly number[] | undefined;
  done: () => void;
}

export interface BroadcastOptions {
  /** Where LISTEN works: not behind a pooler that shares sessions. */
  url: string;
  /** The same in every process that is to be told. */
  applicationName: string;
  system: SystemDatabase;
  log: Logger;
}

/**
 * Tells every process something, and knows when all have heard: NOTIFY, and an acknowledgement from each session that
 * pg_stat_activity shows listening. What it is told matters for caches, so a subscriber also hears when messages may
 * have been missed.
 */
export class Broadcast {
  readonly #system: SystemDatabase;
  readonly #listener: Listener;
  readonly #log: Logger;
  readonly #applicationName: string;
  readonly #replyTo = `${ACKNOWLEDGEMENTS}${randomUUID().replaceAll('-', '')}`;
  readonly #subscribers: { topic: string; onMessage: (payload: string) => void; onMissed: () => void }[] = [];
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: BroadcastOptions) {
    const { url, applicationName, log } = options;
    this.#system = options.system;
    this.#log = log;
    this.#applicationName = applicationName;
    this.#listener = new Listener({
      url,
      applicationName,
      channels: [CHANNEL, this.#replyTo],
      onNotify: (channel, payload) => {
        if (channel === CHANNEL) this.#hear(payload);
        else this.#acknowledged(payload);
      },
      onListening: () => {
        for (const { onMissed } of this.#subscribers) onMissed();
      },
      log,
    });
  }

  /** Whether messages reach this process. While they don't, it must not rely on what they would have changed. */
  get isListening(): boolean {
    return this.#listener.processId !== undefined;
  }

  /** Resolves when the first attempt to listen has ended, well or not. */
  start(): Promise<void> {
    return this.#listener.start();
  }

  close(): Promise<void> {
    for (const { done } of this.#waiting.values()) done();
    return this.#listener.close();
  }

  /** `onMessage` for each message on the topic, and `onMissed` once listening begins again after a gap. */
  subscribe(topic: string, onMessage: (payload: string) => void, onMissed: () => void): void {
    this.#subscribers.push({ topic, onMessage, onMissed });
  }

  /** Tells this process at once and all others; resolves when each has acknowledged, at the latest after 1 s. */
  async publish(topic: string, payload: string): Promise<void> {
    this.#tell(topic, payload);
    const id = randomUUID();
    const acknowledged = this.#awaitAll(id);
    // Not awaited: a database that doesn't answer must not hold the caller longer than a silent process would.
    void this.#send({ id, topic, payload, replyTo: this.#replyTo }, acknowledged.expect);
    await acknowledged.promise;
  }

  async #send(message: Message, expect: (listeners: readonly number[]) => void): Promise<void> {
    try {
      const values = [CHANNEL, JSON.stringify(message), this.#applicationName];
      const [row] = await this.#system.query<{ listeners: number[] }>(PUBLISH, values);
      expect(row?.listeners ?? []);
    } catch (error) {
      // Nobody was told: the full wait lets everything that was cached run out.
      this.#log.warn({ err: (error as Error).message, topic: message.topic }, 'a broadcast could not be sent');
    }
  }

  #awaitAll(id: string): { promise: Promise<void>; expect: (listeners: readonly number[]) => void } {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const done = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(id);
      resolve(undefined);
    };
    const timer = setTimeout(done, ACKNOWLEDGE_MS);
    const waiting: Waiting = { heard: new Set(), expected: undefined, done };
    this.#waiting.set(id, waiting);
    return {
      promise,
      expect: (listeners) => {
        const own = this.#listener.processId;
        // This process has been told; and without a session of its own it could not hear the others' answers.
        waiting.expected = listeners.filter((pid) => pid !== own);
        settle(waiting);
      },
    };
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.replyTo === this.#replyTo) return;
    this.#tell(message.topic, message.payload);
    const acknowledgement = JSON.stringify({ id: message.id, pid: this.#listener.processId });
    // Unsent, it costs the publisher its second of waiting.
    this.#listener.notify(message.replyTo, acknowledgement).catch(() => undefined);
  }

  #acknowledged(text: string): void {
    const { id, pid } = JSON.parse(text) as { id: string; pid: number };
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.heard.add(pid);
    settle(waiting);
  }

  #tell(topic: string, payload: string): void {
    for (const subscriber of this.#subscribers) if (subscriber.topic === topic) subscriber.onMessage(payload);
  }
}

function settle({ expected, heard, done }: Waiting): void {
  if (expected?.every((pid) => heard.has(pid)) === true) done();
}
