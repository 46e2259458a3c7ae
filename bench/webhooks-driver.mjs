/**
 * Our driver for the scripts of shared/bench/webhooks, which hold the peers' drivers (drivers.mjs): add
 * `ours` of this file to them. Against a platform that runs with RATE_LIMIT_DISABLED=true and ALLOW_PRIVATE_TARGETS=true:
 * OURS_URL, and OURS_EMAIL and OURS_PASSWORD of an owner. Each setup makes a key, a webhook and an event name of its own.
 */
import http from 'node:http';
import { randomUUID } from 'node:crypto';

const { OURS_URL = 'http://127.0.0.1:3000', OURS_EMAIL, OURS_PASSWORD, MAX_SOCKETS = '32' } = process.env;
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(MAX_SOCKETS) });

function post(path, headers, body) {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const fields = { ...headers, 'content-type': 'application/json', 'content-length': bytes.length };
    const request = http.request(
      `${OURS_URL}/api/v1${path}`,
      { agent, method: 'POST', headers: fields },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }));
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

async function made(path, headers, body) {
  const answer = await post(path, headers, body);
  if (Math.floor(answer.status / 100) !== 2) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body);
}

const payload = (n) => ({
  n,
  object: 'invoice',
  customer: 'cus_NffrFeUfNV2Hib',
  currency: 'usd',
  amount_due: 1099 + n,
  status: 'paid',
  lines: [{ id: 'il_1', description: 'Subscription update', amount: 1099, quantity: 1 }],
  metadata: { order_id: `ord_${n}`, source: 'bench' },
  billing_address: {
    line1: '510 Townsend St',
    city: 'San Francisco',
    state: 'CA',
    postal_code: '94103',
    country: 'US',
  },
  note: 'x'.repeat(120),
});

export const ours = {
  async setup(sinkUrl) {
    const { data } = await made('/auth/login', {}, { email: OURS_EMAIL, password: OURS_PASSWORD });
    const bearer = { authorization: `Bearer ${data.access_token}` };
    const name = `bench_${randomUUID().slice(0, 8)}`;
    const event = `custom.${name}`;
    await made('/work-items/webhooks', bearer, { name, endpoint_url: sinkUrl, events: [event] });
    const key = await made('/integrations/api-keys', bearer, {
      key_name: name,
      environment: 'testing',
      permissions: { 'webhooks:write': true },
    });
    const headers = { 'x-api-key': key.api_key ?? key.data.api_key };
    return (n) => post('/events', headers, { event, data: payload(n) });
  },
  ok: 202,
};
