import type { Clock } from '../../platform/clock.ts';
import type { GuardedHttp } from '../../platform/http/guarded-client.ts';
import type { Answer } from '../../platform/http/exchange.ts';
import { SendError } from '../../platform/http/send-error.ts';
import { retryAfterMs, verdictOf } from './delivery.rules.ts';
import type { SendOutcome } from './delivery.rules.ts';
import type { Endpoint } from './endpoint.ts';
import { buildRequest } from './request.ts';
import type { OutgoingDelivery } from './request.ts';
import { challengeOf, echoes, VERIFICATION_EVENT } from './verification.rules.ts';

/**
 * Makes one send and says what it came to. Rejects only for what is no fault of the endpoint (`SendError` of kind
 * `local`): such a failure never uses up an attempt.
 */
export async function sendDelivery(
  { http, clock }: { http: GuardedHttp; clock: Clock },
  endpoint: Endpoint,
  delivery: OutgoingDelivery,
): Promise<SendOutcome> {
  const at = clock.now();
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await http.send(buildRequest(endpoint, delivery, at));
    return { at, durationMs: elapsed(), ...judge(answer, delivery, clock.now()) };
  } catch (error) {
    if (!(error instanceof SendError) || error.kind === 'local') throw error;
    return failedWithoutAnswer(at, elapsed(), error.message);
  }
}

/** The outcome of a send that got no answer. */
export function failedWithoutAnswer(at: number, durationMs: number, error: string): SendOutcome {
  const none = { responseStatus: null, responseBody: null, retryAfterMs: null };
  return { verdict: 'failure', at, durationMs, error: storable(error), ...none };
}

function judge(answer: Answer, { event }: OutgoingDelivery, now: number): Omit<SendOutcome, 'at' | 'durationMs'> {
  const { status } = answer;
  const text = answer.body.toString('utf8');
  const verdict = verdictOf(status);
  const unproven =
    verdict === 'success' && event.name === VERIFICATION_EVENT && !echoes(text, challengeOf(event.dataText));
  const retryAfter = answer.headers['retry-after'];
  return {
    verdict: unproven ? 'failure' : verdict,
    responseStatus: status,
    responseBody: storable(text),
    error: unproven
      ? 'the endpoint did not echo the challenge'
      : verdict === 'success'
        ? null
        : `HTTP ${String(status)}`,
    retryAfterMs: retryAfterMs(status, retryAfter, now),
  };
}

/** PostgreSQL's text can't hold U+0000. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
