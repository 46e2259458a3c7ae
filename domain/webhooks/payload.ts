import { PAYLOAD_VERSION } from '../contracts/webhooks.ts';
import type { PayloadSettings } from './endpoint.ts';
import { shapePayload, shapingOf } from './template.ts';
import type { Payload } from './template.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';

/** What a payload is made of, but for `data`. */
export interface PayloadFacts {
  event: string;
  occurredAt: string;
  clientId: number;
  eventId: string;
  deliveryId: number;
  webhookId: number;
}

/**
 * The body of a delivery to a webhook. `dataText` is the event's data as JSON text, and is put in as it stands; it is
 * parsed only where a template of the webhook wants something else than all of it.
 */
export function payloadText(facts: PayloadFacts, dataText: string, settings: PayloadSettings): string {
  const whole = defaultText(facts, dataText, versionOf(settings.version));
  // A challenge that a template left out could never be answered.
  if (facts.event === VERIFICATION_EVENT) return whole;
  const shaping = shapingOf(settings.template, facts.event);
  return shaping.mode === 'passthrough' ? whole : JSON.stringify(shapePayload(JSON.parse(whole) as Payload, shaping));
}

/** The date that names the shape of `data`. A webhook that pins an older one gets `data` brought back to it here. */
export function versionOf(wanted: string): string {
  return wanted === 'latest' ? PAYLOAD_VERSION : wanted;
}

/** The default payload (spec, "Events"). */
function defaultText(facts: PayloadFacts, dataText: string, version: string): string {
  const { event, occurredAt, clientId, eventId, deliveryId, webhookId } = facts;
  const metadata = { client_id: clientId, event_id: eventId, delivery_id: deliveryId, webhook_id: webhookId };
  const head = JSON.stringify({ event, version, timestamp: occurredAt });
  return `${head.slice(0, -1)},"data":${dataText},"metadata":${JSON.stringify(metadata)}}`;
}
