import { ApiError } from '../../../domain/contracts/errors.ts';
import { INBOUND_BODIES } from '../../../domain/contracts/inbound-bodies.ts';
import {
  INBOUND_RATE,
  INBOUND_TYPES,
  InboundAnswer,
  MAX_INBOUND_BODY_BYTES,
} from '../../../domain/contracts/inbound-webhooks.ts';
import {
  checkKey,
  checkSignature,
  findReceiver,
  keepRefused,
  receive,
} from '../../../domain/inbound-webhooks/index.ts';
import type { InboundCall, Receiver } from '../../../domain/inbound-webhooks/index.ts';
import { jsonObject, parseJson } from '../../middleware/json-body.ts';
import { openOperation } from '../../operation.ts';
import type { OpenContext, RawRequest } from '../../operation.ts';
import { validateInput } from '../../validate.ts';
import { AREA, WebhookRef } from './shared.ts';

/** Of one address, to all webhooks together, known or not: whoever guesses is slowed down. */
const RATE_OF_ADDRESS = { perWindow: 3_000, burst: 300 };
const MAX_KEY_CHARACTERS = 255;

const RECEIVED = 'Received. It is processed now.';
const RECEIVED_BEFORE = 'This call was received before; its first receipt stands.';

export const receiveInboundWebhookOperation = openOperation({
  name: 'receive-inbound-webhook',
  title: 'Post to an inbound webhook',
  description:
    'Called by another system. The body is JSON of the type of the webhook, at most 1 MiB; a body that does not fit is answered 400 with the fields that are wrong. It is kept before the answer and processed after it. A call that repeats the Idempotency-Key or webhook-id of an earlier one returns the receipt of that one. At most 600 calls per minute and webhook. An unknown, inactive or deleted webhook is 404, a wrong key or signature 401.',
  area: AREA,
  scopes: null,
  input: WebhookRef,
  output: InboundAnswer,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/webhooks/inbound/{id}',
    auth: [],
    params: ['id'],
    body: 'raw',
    bodies: INBOUND_TYPES.map((type) => INBOUND_BODIES[type].schema),
    optionalHeaders: {
      'X-API-Key': 'auth_method api_key: the key of the webhook, begins svc_wh_',
      'X-Service-Signature':
        'auth_method hmac: `sha256=` and the HMAC-SHA256 of the raw body in hex, keyed by the whole secret. Or send the three headers of Standard Webhooks',
      'webhook-id': 'Standard Webhooks: id of the message, the same when it is sent again',
      'webhook-timestamp': 'Standard Webhooks: seconds since 1970, at most 5 minutes ago',
      'webhook-signature': 'Standard Webhooks: `v1,` and base64, several separated by spaces',
      'Idempotency-Key': 'At most 255 characters; a call that repeats one is not taken twice',
    },
    maxBodyBytes: MAX_INBOUND_BODY_BYTES,
  },
  errors: ['UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED'],
  run: async (context, { id }) => {
    const { services, request } = context;
    const raw = rawOf(context);
    await raw.limit(`inbound-address:${request.address ?? 'unknown'}`, RATE_OF_ADDRESS);
    const now = services.clock.now();
    const receiver = await findReceiver(services.system, id, now);
    checkKey(receiver, raw.headers['x-api-key']);
    const body = await raw.read();
    checkSignature(receiver, signatureOf(raw), body, { vault: services.vault, now });
    // Counted only once it is known who calls: a stranger can't use up what the sender may.
    await raw.limit(`inbound:${id}`, INBOUND_RATE);
    checkIdempotencyKeys(raw);
    const call = { headers: raw.headers, body, sourceAddress: request.address };
    const parsed = await parsedBody(context, receiver, call);
    const { id: receiptId, isRepeated } = await services.tenants.transaction(receiver.clientId, (tx) =>
      receive(tx, receiver, { ...call, parsed }),
    );
    return { data: { id: receiptId, status: 'received' as const, message: isRepeated ? RECEIVED_BEFORE : RECEIVED } };
  },
});

function rawOf({ raw }: OpenContext): RawRequest {
  if (raw === undefined) throw new Error('the route of an inbound webhook takes its body raw');
  return raw;
}

function signatureOf({ headers }: RawRequest) {
  return {
    service: headers['x-service-signature'],
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    standard: headers['webhook-signature'],
  };
}

function checkIdempotencyKeys({ headers }: RawRequest): void {
  for (const name of ['Idempotency-Key', 'webhook-id']) {
    const value = headers[name.toLowerCase()];
    if (value !== undefined && (value === '' || value.length > MAX_KEY_CHARACTERS)) {
      throw ApiError.invalid(name, `must have 1 to ${String(MAX_KEY_CHARACTERS)} characters`);
    }
  }
}

/** The body as its type wants it. One that doesn't fit is kept for the webhook's owner to see, and refused. */
async function parsedBody({ services }: OpenContext, receiver: Receiver, call: InboundCall): Promise<unknown> {
  const { schema } = INBOUND_BODIES[receiver.webhook.webhook_type];
  try {
    const body = jsonObject(parseJson(call.body));
    validateInput(schema, body);
    return body;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await services.tenants.transaction(receiver.clientId, (tx) => {
      keepRefused(tx, receiver, { ...call, reason: error.message });
      return Promise.resolve();
    });
    throw error;
  }
}
