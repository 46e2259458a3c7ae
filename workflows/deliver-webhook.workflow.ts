import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
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
  /** `held`: its webhook takes nothing for now, and it waits in PostgreSQL; a new round goes on when it does. */
  status: 'retrying' | 'sending' | 'success' | 'failed' | 'held' | 'superseded';
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
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const { recordAttempt, abandonDelivery } = proxyActivities<
  Pick<DeliveryActivities, 'recordAttempt' | 'abandonDelivery'>
>({
  startToCloseTimeout: '10 seconds',
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

  let next: Next = { delayMs: Math.max(0, Date.parse(input.next_attempt_at) - Date.now()) };
  while (state.status === 'retrying') {
    if (workflowInfo().historyLength > LONG_HISTORY && next.hasToken !== true && !asked.retryNow && !asked.giveUp) {
      return continueAsNew<typeof deliverWebhook>(inputOf(input, state));
    }
    await wait(() => asked.retryNow || asked.giveUp, { key: { client_id, delivery_id, round }, state, ...next });
    asked.retryNow = false;
    if (asked.giveUp) {
      await abandonDelivery({ client_id, delivery_id, round }, 'given up by an operator');
      Object.assign(state, { status: 'failed', next_attempt_at: null });
      if (patched('end-state-shown')) show(state);
      break;
    }
    state.status = 'sending';
    const { hasToken } = next;
    const key = { client_id, delivery_id, round, send_number: state.sends + 1 };
    // A request that is under way is recorded, whatever becomes of this workflow.
    next = await CancellationScope.nonCancellable(() =>
      attempt(hasToken === true ? { ...key, has_token: true } : key, state),
    );
    show(state);
  }
  return state;
}

/** The wait before the next send, and whether a token of the webhook's rate limit is promised to it. */
interface Next {
  delayMs: number;
  hasToken?: boolean;
}

const NONE: Next = { delayMs: 0 };

/** Events of a history from which on it begins anew: one that its webhook's rate postpones for days asks ever again. */
const LONG_HISTORY = 1_000;

function inputOf(
  input: DeliverWebhookInput,
  { sends, next_attempt_at, last_error }: DeliveryState,
): DeliverWebhookInput {
  return {
    ...input,
    sends,
    next_attempt_at: next_attempt_at ?? input.next_attempt_at,
    error: last_error ?? input.error,
  };
}

/** Waits for the next send, or until asked. Whoever cancels the workflow gives the delivery up: nobody else retries it. */
async function wait(
  isAsked: () => boolean,
  { key, state, delayMs }: Next & { key: Omit<SendKey, 'send_number'>; state: DeliveryState },
): Promise<void> {
  try {
    await condition(isAsked, delayMs);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => abandonDelivery(key, 'cancelled by an operator'));
    Object.assign(state, { status: 'failed', next_attempt_at: null });
    show(state);
    throw error;
  }
}

/** One send and its record; answers the wait before the next. */
async function attempt(key: SendKey, state: DeliveryState): Promise<Next> {
  state.next_attempt_at = null;
  const result = await sendDelivery(key);
  switch (result.kind) {
    case 'superseded':
      state.status = 'superseded';
      return NONE;
    case 'held':
      Object.assign(state, { status: 'held', last_error: result.reason });
      return NONE;
    case 'postponed':
      return waiting(state, { delayMs: result.delay_ms, hasToken: result.has_token });
    case 'undeliverable': {
      const { client_id, delivery_id, round } = key;
      await abandonDelivery({ client_id, delivery_id, round }, result.reason);
      Object.assign(state, { status: 'failed', last_error: result.reason });
      return NONE;
    }
    case 'sent': {
      const decision = await recordAttempt(key, result);
      state.status = decision.status;
      if (decision.status === 'superseded') return NONE;
      state.sends = key.send_number;
      state.last_error = result.outcome.error;
      return decision.status === 'retrying' ? waiting(state, { delayMs: decision.delayMs }) : NONE;
    }
  }
}

function waiting(state: DeliveryState, next: Next): Next {
  state.status = 'retrying';
  state.next_attempt_at = new Date(Date.now() + next.delayMs).toISOString();
  return next;
}

/** Keeps the list in the Temporal UI true. A server on which the attributes aren't registered started us without them. */
function show(state: DeliveryState): void {
  upsertMemo({ sends: state.sends, last_error: state.last_error, next_attempt_at: state.next_attempt_at });
  if (workflowInfo().typedSearchAttributes.get(statusKey) !== undefined) {
    upsertSearchAttributes([{ key: statusKey, value: state.status }]);
  }
}
