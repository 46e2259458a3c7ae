import { DELIVERIES_CHANNEL, OUTBOX_CHANNEL } from '../../domain/outbox/index.ts';
import {
  decide,
  isOrderedLane,
  laneOf,
  LEASE_MS,
  releaseLeases,
  renewLeases,
  sendDelivery,
} from '../../domain/webhooks/index.ts';
import type { HealthRow } from '../../domain/webhooks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { Listener } from '../../platform/db/listener.ts';
import type { GuardedHttp } from '../../platform/http/guarded-client.ts';
import type { Logger } from '../../platform/log.ts';
import type { TemporalGateway } from '../../platform/temporal.ts';
import { Backlog } from './backlog.ts';
import { Breakers } from './breakers.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Held } from './held.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { OutcomeRecorder } from './outcome-recorder.ts';
import { Signal } from './signal.ts';
import { Subscriptions } from './subscriptions.ts';
import { WorkflowStarter } from './workflow-starter.ts';

export interface RelayDeps {
  db: SystemDatabase;
  /** Where LISTEN works: not behind a pooler. */
  listenUrl: string;
  vault: Vault;
  http: GuardedHttp;
  temporal: TemporalGateway;
  clock: Clock;
  log: Logger;
  observer?: RelayObserver;
}

/** What the metrics want to know. */
export interface RelayObserver {
  sent(result: 'success' | 'failure' | 'gone' | 'local_failure', durationMs: number): void;
}

const POLL_MS = 1_000;
const REVIEW_MS = 100;
const ERROR_PAUSE_MS = 250;
/** A lease is renewed when it has less than this left. */
const RENEW_BELOW_MS = 1_200;
/** A workflow start asked for by another process is no hurry: that process mostly starts it itself. */
const FOREIGN_START_DELAY_MS = 50;
/** For so long nothing is claimed for an endpoint that is gone: by then its webhook is switched off. */
const GONE_PAUSE_MS = 1_000;
/** First wait after a send that could not be made for a lack of ours; it costs no attempt. */
const LOCAL_FAILURE_DELAY_MS = 1_000;

/**
 * The loop that brings committed events to their endpoints (architecture, "Delivery"). It needs PostgreSQL only, so it
 * runs while Temporal is away; any number of relays may run side by side; each of its steps can die and be repeated.
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #lanes: Lanes;
  readonly #breakers = new Breakers();
  readonly #recorder: OutcomeRecorder;
  readonly #dispatcher: Dispatcher;
  readonly #backlog: Backlog;
  readonly #starter: WorkflowStarter;
  readonly #listener: Listener;
  readonly #events = new Signal();
  readonly #queued = new Signal();
  #isStopped = false;
  #loops: Promise<void>[] = [];
  #reviewer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  constructor(deps: RelayDeps) {
    const { db, vault, temporal, log } = deps;
    this.#deps = deps;
    const subscriptions = new Subscriptions(db, vault, this.#breakers);
    this.#lanes = new Lanes({
      send: (held) => this.#send(held),
      onRoom: (lane) => this.#backlog.ask(lane),
      maySend: () => this.#recorder.hasRoom,
    });
    this.#starter = new WorkflowStarter({ db, temporal, log });
    this.#recorder = new OutcomeRecorder({
      db,
      log,
      onFailuresRecorded: () => this.#starter.wake(),
      onRoom: () => this.#lanes.resume(),
      onHealth: (rows) => {
        for (const row of rows) this.#noteHealth(row);
      },
      onRecorded: (recorded) => this.#backlog.noteRecorded(recorded),
      onEnded: (ended) => this.#wakeOrdered(ended),
    });
    const shared = { db, subscriptions, lanes: this.#lanes, breakers: this.#breakers };
    this.#dispatcher = new Dispatcher({
      ...shared,
      onRuns: () => this.#starter.wake(),
      onQueued: (lane) => this.#backlog.ask(lane),
    });
    this.#backlog = new Backlog({ ...shared, vault, log, leased: () => this.#leased() });
    const channels = [OUTBOX_CHANNEL, DELIVERIES_CHANNEL];
    this.#listener = new Listener({
      url: deps.listenUrl,
      applicationName: 'relay-listener',
      channels,
      onNotify: (channel) => this.#wake(channel),
      onListening: () => {
        for (const channel of channels) this.#wake(channel);
      },
      log,
    });
  }

  /** Deliveries in memory and sends under way, for the metrics. */
  get load(): { held: number; inFlight: number; unrecorded: number } {
    return { held: this.#lanes.held, inFlight: this.#lanes.inFlight, unrecorded: this.#recorder.size };
  }

  async start(): Promise<void> {
    await this.#listener.start();
    this.#starter.start();
    this.#loops = [
      this.#loop(this.#events, () => this.#dispatch()),
      this.#loop(this.#queued, async () => {
        await this.#backlog.sweep();
        return false;
      }),
    ];
    this.#reviewer = setInterval(() => this.#review(), REVIEW_MS);
  }

  /** Claims no more, gives back what was not sent, and finishes what is under way, for at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#backlog.stop();
    this.#events.set();
    this.#queued.set();
    await Promise.all([this.#listener.close(), ...this.#loops]);
    await this.#giveBack(this.#lanes.drain());
    const finished = this.#lanes.idle().then(() => this.#recorder.idle());
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([finished, outOfTime]);
    clearTimeout(timer);
    clearInterval(this.#reviewer);
    await this.#starter.stop();
  }

  #wake(channel: string): void {
    if (channel === DELIVERIES_CHANNEL) this.#queued.set();
    else {
      this.#events.set();
      this.#starter.wake(FOREIGN_START_DELAY_MS);
    }
  }

  /** Works as long as there is more, then until woken, or the poll's time has come. */
  async #loop(signal: Signal, work: () => Promise<boolean>): Promise<void> {
    while (!this.#isStopped) {
      try {
        // Stopping sets the signals, so the wait of a stopped loop ends at once.
        const isMore = await work();
        if (!isMore) await signal.wait(POLL_MS);
      } catch (error) {
        this.#deps.log.warn({ err: (error as Error).message }, 'relay interrupted');
        await new Promise((resolve) => setTimeout(resolve, ERROR_PAUSE_MS));
      }
    }
  }

  async #dispatch(): Promise<boolean> {
    if (!this.#lanes.isSaturated) return this.#dispatcher.dispatch();
    await new Promise((resolve) => setTimeout(resolve, 5));
    return true;
  }

  async #send(held: Held): Promise<{ timedOut: boolean }> {
    const { http, clock, observer, log } = this.#deps;
    const { endpoint } = held;
    try {
      const outcome = await sendDelivery({ http, clock }, endpoint, held);
      const decision = decide(outcome, held.sendNumber, endpoint.retry);
      this.#recorder.add({ held, outcome, error: outcome.error ?? '', decision, now: clock.now() });
      observer?.sent(outcome.verdict, outcome.durationMs);
      if (outcome.verdict === 'gone') this.#noteGone(endpoint.webhookId);
      return { timedOut: outcome.responseStatus === null && outcome.durationMs >= endpoint.timeoutMs * 0.9 };
    } catch (error) {
      const message = (error as Error).message;
      log.warn(
        { err: message, delivery_id: held.deliveryId },
        'a first send could not be made; handed to its workflow',
      );
      const decision = { status: 'retrying', delayMs: LOCAL_FAILURE_DELAY_MS } as const;
      this.#recorder.add({ held, outcome: null, error: message, decision, now: clock.now() });
      observer?.sent('local_failure', 0);
      return { timedOut: false };
    }
  }

  /** An endpoint's breaker has opened, or closed: its deliveries are held, or flow again. */
  #noteHealth({ webhook_id: webhookId, is_open: isOpen, was_open: wasOpen, probe_in_ms: probeInMs }: HealthRow): void {
    if (!isOpen && !wasOpen) return;
    if (isOpen !== wasOpen) {
      const { log } = this.#deps;
      log.warn({ webhook_id: webhookId }, isOpen ? 'circuit breaker opened' : 'circuit breaker closed');
    }
    if (isOpen) this.#breakers.open(webhookId, probeInMs ?? 0);
    else this.#breakers.close(webhookId);
    for (const lane of this.#governed(webhookId)) {
      if (isOpen) void this.#giveBack(this.#lanes.hold(lane));
      else this.#backlog.ask(lane);
    }
    if (!isOpen) void this.#wakeOthers();
  }

  /** It wants no more: what waits in memory goes back, to be kept until its webhook is switched on again. */
  #noteGone(webhookId: number | null): void {
    if (webhookId === null) return;
    this.#breakers.open(webhookId, GONE_PAUSE_MS);
    for (const lane of this.#governed(webhookId)) void this.#giveBack(this.#lanes.hold(lane));
  }

  /** Both lanes of a webhook, from which all is claimed now, the oldest first. */
  #governed(webhookId: number): Lane[] {
    return [false, true].map((ordered) => {
      const lane = this.#lanes.lane(laneOf(webhookId, ordered));
      lane.isGoverned = true;
      lane.isDraining = true;
      return lane;
    });
  }

  /** The next delivery of a work item may go when the one before it has ended. */
  #wakeOrdered(ended: readonly Held[]): void {
    for (const key of new Set(ended.map((held) => held.lane).filter(isOrderedLane))) {
      const lane = this.#lanes.lane(key);
      lane.hasBacklog = true;
      this.#backlog.ask(lane);
    }
  }

  async #wakeOthers(): Promise<void> {
    try {
      await this.#deps.db.transaction((tx) => {
        tx.notify(DELIVERIES_CHANNEL);
        return Promise.resolve();
      });
    } catch (error) {
      // Their next sweep finds it too.
      this.#deps.log.warn({ err: (error as Error).message }, 'other relays not woken');
    }
  }

  #review(): void {
    const now = performance.now();
    void this.#giveBack(this.#lanes.review(now));
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    void this.#renew(now).finally(() => {
      this.#isRenewing = false;
    });
  }

  *#leased(): Iterable<Held> {
    yield* this.#lanes.leased();
    yield* this.#recorder.leased();
  }

  async #renew(now: number): Promise<void> {
    const expiring = [...this.#leased()].filter((held) => held.leaseEndsAt - now < RENEW_BELOW_MS);
    if (expiring.length === 0) return;
    try {
      await renewLeases(
        this.#deps.db,
        expiring.map((held) => held.deliveryId),
      );
      for (const held of expiring) held.leaseEndsAt = now + LEASE_MS;
    } catch (error) {
      this.#deps.log.warn({ err: (error as Error).message, deliveries: expiring.length }, 'leases not renewed');
    }
  }

  async #giveBack(unsent: readonly Held[]): Promise<void> {
    if (unsent.length === 0) return;
    try {
      await releaseLeases(
        this.#deps.db,
        unsent.map((held) => held.deliveryId),
      );
    } catch (error) {
      // They come free by themselves when their leases run out.
      this.#deps.log.warn({ err: (error as Error).message, deliveries: unsent.length }, 'leases not released');
    }
  }
}
