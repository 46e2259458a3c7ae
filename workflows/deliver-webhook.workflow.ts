import { defineSearchAttributeKey } from '@temporalio/common';
import {
  condition,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities, SendKey } from '../activities/deliveries.ts';
import { SEARCH_ATTRIBUTE } from '../domain/contracts/workflows.ts';
import type { DeliverWebhookInput } from '../domain/contracts/workflows.ts';

/** Skips the wait before the next send. */
export const retryNowSignal = defineSignal('retryNow');
/** Ends the delivery in the DLQ instead of sending again. */
export const giveUpSignal = defineSignal('giveUp');
/** Where the delivery stands. */
export const deliveryStateQuery = defineQuery<DeliveryState>('state');

export interface DeliveryState {
  status: 'retrying' | 'sending' | 'success' | 'failed' | 'superseded';
  /** Requests made in this round. */
  sends: number;
  /** ISO 8601; null when no send is planned. */
  next_attempt_at: string | null;
  /** What the last send came to. */
  last_error: string | null;
}

const statusKey = defineSearchAttributeKey(SEARCH_ATTRIBUTE.deliveryStatus, 'KEYWORD');

/** Longer than any endpoint may take (30 s) and its look-ups. What fails here is a lack of ours: it costs no attempt. */
const { sendDelivery } = proxyActivities<Pick<DeliveryActivities, 'sendDelivery'>>({
  startToCloseTimeout: '60 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const { recordAttempt, abandonDelivery } = proxyActivities<
  Pick<DeliveryActivities, 'recordAttempt' | 'abandonDelivery'>
>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** The retries of one round of a delivery whose first send did not succeed: wait, send, record, until it ends. */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliveryState> {
  const { client_id, delivery_id, round } = input;
  const state: DeliveryState = {
    status: 'retrying',
    sends: input.sends,
    next_attempt_at: input.next_attempt_at,
    last_error: input.error,
  };
  const asked = { retryNow: false, giveUp: false };
  setHandler(deliveryStateQuery, () => state);
  setHandler(retryNowSignal, () => void (asked.retryNow = true));
  setHandler(giveUpSignal, () => void (asked.giveUp = true));

  let delayMs = Math.max(0, Date.parse(input.next_attempt_at) - Date.now());
  while (state.status === 'retrying') {
    await condition(() => asked.retryNow || asked.giveUp, delayMs);
    asked.retryNow = false;
    if (asked.giveUp) {
      await abandonDelivery({ client_id, delivery_id, round }, 'given up by an operator');
      Object.assign(state, { status: 'failed', next_attempt_at: null });
      break;
    }
    state.status = 'sending';
    delayMs = await attempt({ client_id, delivery_id, round, send_number: state.sends + 1 }, state);
    show(state);
  }
  return state;
}

/** One send and its record; answers the wait before the next. */
async function attempt(key: SendKey, state: DeliveryState): Promise<number> {
  state.next_attempt_at = null;
  const result = await sendDelivery(key);
  if (result.kind === 'superseded') {
    state.status = 'superseded';
    return 0;
  }
  if (result.kind === 'undeliverable') {
    const { client_id, delivery_id, round } = key;
    await abandonDelivery({ client_id, delivery_id, round }, result.reason);
    Object.assign(state, { status: 'failed', last_error: result.reason });
    return 0;
  }
  const decision = await recordAttempt(key, result);
  state.status = decision.status;
  if (decision.status === 'superseded') return 0;
  state.sends = key.send_number;
  state.last_error = result.outcome.error;
  if (decision.status !== 'retrying') return 0;
  state.next_attempt_at = new Date(Date.now() + decision.delayMs).toISOString();
  return decision.delayMs;
}

/** Keeps the list in the Temporal UI true. A server on which the attributes aren't registered started us without them. */
function show(state: DeliveryState): void {
  upsertMemo({ sends: state.sends, last_error: state.last_error, next_attempt_at: state.next_attempt_at });
  if (workflowInfo().typedSearchAttributes.get(statusKey) !== undefined) {
    upsertSearchAttributes([{ key: statusKey, value: state.status }]);
  }
}
