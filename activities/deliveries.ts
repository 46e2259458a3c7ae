import { ApplicationFailure, Context } from '@temporalio/activity';
import type { DeliverWebhookInput } from '../domain/contracts/workflows.ts';
import {
  applyToWebhook,
  deadLetter,
  failedWithoutAnswer,
  loadRetry,
  recordRetry,
  sendDelivery,
  takeToken,
} from '../domain/webhooks/index.ts';
import type { Decision, RetryKey, SendOutcome, Superseded } from '../domain/webhooks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Vault } from '../platform/crypto.ts';
import type { SystemDatabase } from '../platform/db/database.ts';
import type { GuardedHttp } from '../platform/http/guarded-client.ts';
import { SendError } from '../platform/http/send-error.ts';
import { heartbeating } from './heartbeats.ts';

export interface DeliveryActivityDeps {
  system: SystemDatabase;
  vault: Vault;
  http: GuardedHttp;
  clock: Clock;
  /** Told of each send, for the metrics. */
  observer?: { sent(result: SendOutcome['verdict'] | 'local_failure', durationMs: number): void };
}

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

/** Which send of which delivery. */
export type SendKey = Pick<DeliverWebhookInput, 'client_id' | 'delivery_id' | 'round'> & {
  send_number: number;
  /** A token of its webhook's rate limit was promised to it before. */
  has_token?: boolean;
};

export type SendResult =
  | { kind: 'sent'; outcome: SendOutcome; event_name: string; webhook_id: number | null; webhook_revision?: number }
  /** Its webhook's rate limit has no room for it yet. */
  | { kind: 'postponed'; delay_ms: number; has_token: boolean }
  | { kind: 'held'; reason: string }
  | { kind: 'undeliverable'; reason: string }
  | { kind: 'superseded' };

/**
 * A lack of ours (no resolver, no network) is tried again by Temporal without using up an attempt; after so many tries,
 * some ten minutes, it is taken for the endpoint's own: a name server that never answers looks just the same.
 */
const LOCAL_FAILURES_FORGIVEN = 25;

/** A token that is due so soon is waited for in the activity; for a later one the workflow sleeps. */
const SHORT_WAIT_MS = 100;

/** The steps of `deliverWebhook`. Sending and recording are apart, so that a database that is away repeats no send. */
export function createDeliveryActivities({ system, vault, http, clock, observer }: DeliveryActivityDeps) {
  return {
    /** Makes one HTTP request. Run twice after a crash, it sends twice, under the same Idempotency-Key. */
    async sendDelivery(key: SendKey): Promise<SendResult> {
      const loaded = await loadRetry(system, vault, retryKey(key));
      if (loaded.kind !== 'ready') return loaded;
      const { endpoint, delivery } = loaded;
      const { webhookId, rateLimitPerSecond, revision } = endpoint;
      if (webhookId !== null && rateLimitPerSecond !== null && key.has_token !== true) {
        const { isTaken, waitMs } = await takeToken(system, webhookId);
        if (!isTaken || waitMs > SHORT_WAIT_MS) return { kind: 'postponed', delay_ms: waitMs, has_token: isTaken };
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
      const outcome = await heartbeating(() =>
        forgiving(() => sendDelivery({ http, clock }, endpoint, delivery), clock),
      );
      observer?.sent(outcome.verdict, outcome.durationMs);
      const facts = { event_name: delivery.event.name, webhook_id: webhookId };
      return {
        kind: 'sent',
        outcome: forHistory(delivery.event.name, outcome),
        ...facts,
        ...(webhookId === null ? {} : { webhook_revision: revision }),
      };
    },

    /** Writes what a send came to, once, and answers what comes next. */
    async recordAttempt(key: SendKey, sent: Extract<SendResult, { kind: 'sent' }>): Promise<Decision | Superseded> {
      const { outcome, webhook_revision: revision = null } = sent;
      const decision = await recordRetry(system, vault, retryKey(key), { outcome, revision }, clock.now());
      if (decision.status === 'superseded') return decision;
      const { client_id: clientId } = key;
      const subject = { clientId, webhookId: sent.webhook_id, eventName: sent.event_name, revision };
      // After the record, which says how it ended; a crash in between runs this activity again, and both are repeatable.
      await applyToWebhook(system, subject, outcome, decision);
      return decision;
    },

    /** Ends the delivery in the DLQ without another send. */
    async abandonDelivery(key: Omit<SendKey, 'send_number'>, reason: string): Promise<void> {
      await deadLetter(system, { clientId: key.client_id, deliveryId: key.delivery_id, round: key.round }, reason);
    },
  };
}

function retryKey(key: SendKey): RetryKey {
  return { clientId: key.client_id, deliveryId: key.delivery_id, round: key.round, sendNumber: key.send_number };
}

/**
 * What is answered here stays in the workflow's history, which nothing erases before its time. A receiver may repeat in its
 * answer what a document said, so that of an extraction's events no answer to a retry is kept.
 */
function forHistory(eventName: string, outcome: SendOutcome): SendOutcome {
  return eventName.startsWith('vision.extract.') ? { ...outcome, responseBody: null } : outcome;
}

async function forgiving(send: () => Promise<SendOutcome>, clock: Clock): Promise<SendOutcome> {
  const at = clock.now();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (Context.current().info.attempt <= LOCAL_FAILURES_FORGIVEN) {
      throw ApplicationFailure.retryable(error.message, 'LOCAL_FAILURE');
    }
    return failedWithoutAnswer(at, clock.now() - at, error.message);
  }
}
