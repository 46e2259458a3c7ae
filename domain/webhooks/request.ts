import type { SendRequest } from '../../platform/http/guarded-client.ts';
import type { Endpoint } from './endpoint.ts';
import { payloadText } from './payload.ts';
import { serviceSignature, signatureHeaders } from './signing.ts';
import { basicCredentials, isReservedHeader } from './webhook.rules.ts';

const USER_AGENT = 'BusinessPlatform-Webhooks/1.0';

/** The event that a delivery carries. */
export interface EventFacts {
  clientId: number;
  eventId: string;
  name: string;
  occurredAt: Date;
  /** Its data as JSON text, as it was recorded. */
  dataText: string;
}

/** A delivery on its way out. */
export interface OutgoingDelivery {
  deliveryId: number;
  /** 1 for the first request of the round. */
  sendNumber: number;
  /** Said to the receiver, so that nobody books the sample of an invoice. */
  isTest?: boolean;
  event: EventFacts;
}

/** The request of one send: body, then headers over it (decisions §7). `now` is when it leaves, in milliseconds. */
export function buildRequest(endpoint: Endpoint, delivery: OutgoingDelivery, now: number): SendRequest {
  const body = bodyOf(endpoint, delivery);
  const timestamp = Math.floor(now / 1_000);
  const { event } = delivery;
  const id = `evt_${event.eventId}`;
  const headers: Record<string, string> = {};
  const { type } = endpoint.auth;
  const authType = type === 'key' || type === 'sealed' ? 'hmac' : type;
  for (const [name, value] of Object.entries(endpoint.customHeaders)) {
    if (!isReservedHeader(name, authType)) headers[name] = value;
  }
  Object.assign(headers, {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'Idempotency-Key': id,
    'X-Webhook-Event': event.name,
    'X-Webhook-Delivery': String(delivery.deliveryId),
    'X-Webhook-Attempt': String(delivery.sendNumber),
    'X-Webhook-Timestamp': String(timestamp),
    ...(delivery.isTest === true ? { 'X-Webhook-Test': 'true' } : {}),
    ...authHeaders(endpoint, { id, timestamp, body }),
  });
  return { target: endpoint.target, method: endpoint.method, headers, body, timeoutMs: endpoint.timeoutMs };
}

/** A webhook gets the payload around the event's data; a Document AI callback the data alone (spec, "Events"). */
function bodyOf(endpoint: Endpoint, { deliveryId, event }: OutgoingDelivery): string {
  const { webhookId, payload } = endpoint;
  if (webhookId === null || payload === null) return event.dataText;
  const { name, clientId, eventId } = event;
  const occurredAt = event.occurredAt.toISOString();
  const facts = { event: name, occurredAt, clientId, eventId, deliveryId, webhookId };
  return payloadText(facts, event.dataText, payload);
}

function authHeaders(
  endpoint: Endpoint,
  message: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const { auth } = endpoint;
  switch (auth.type) {
    case 'hmac':
      return signatureHeaders(auth.keys, message);
    case 'key':
      return { 'X-Service-Signature': serviceSignature(auth.secret, message.body) };
    case 'bearer':
      return { Authorization: `Bearer ${auth.credentials}` };
    case 'basic':
      return { Authorization: `Basic ${basicCredentials(auth.credentials, base64)}` };
    case 'none':
      return {};
    case 'sealed':
      // A lack of ours: it is tried until it is mended, and costs the delivery no attempt.
      throw new Error(`the secrets of this endpoint cannot be opened: ${auth.error}`);
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

const SECRET_HEADERS = /^(authorization|cookie|x-api-key|.*signature.*)$/i;

/** The headers of a request as the delivery log shows them: what proves the sender is left out. */
export function loggedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET_HEADERS.test(name)));
}
