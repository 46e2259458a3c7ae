import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDemoReceiver, wantedAnswer } from '../../dev/demo-receiver.ts';
import type { DemoReceiver, ReceivedDelivery } from '../../dev/demo-receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const secretsFile = join(temporaryFolder(), 'demo-receiver.json');
const lines: string[] = [];
let receiver: DemoReceiver;

beforeAll(async () => {
  receiver = await startDemoReceiver({ port: 0, secretsFile, print: (line) => lines.push(line) });
});
afterAll(() => receiver.close());

async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${receiver.url}${path}`, { method: 'POST', body, headers });
}

function signed(body: string, secret: string): Record<string, string> {
  return { 'X-Service-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

test('a delivery signed with any known secret prints one line that says so', async () => {
  writeFileSync(secretsFile, JSON.stringify({ secrets: ['whsec_first', 'svc_sk_second'] }));
  const body = JSON.stringify({ event: 'job.created', data: { title: 'Zoë' } });
  const headers = { 'X-Webhook-Event': 'job.created', 'X-Webhook-Delivery': 'd-1', 'X-Webhook-Attempt': '2' };
  const response = await post('/hook', body, { ...signed(body, 'svc_sk_second'), ...headers });
  expect(response.status).toBe(200);
  expect(lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}job\.created {2}delivery d-1 {2}attempt 2 {2}signature ok$/);
});

test('a changed body, a foreign secret and a malformed header are BAD', async () => {
  const body = '{"event":"job.created"}';
  await post('/hook', `${body} `, signed(body, 'whsec_first'));
  expect(lines.at(-1)).toContain('signature BAD');
  await post('/hook', body, signed(body, 'whsec_unknown'));
  expect(lines.at(-1)).toContain('signature BAD');
  await post('/hook', body, { 'X-Service-Signature': 'sha256=' });
  expect(lines.at(-1)).toContain('signature BAD');
  await post('/hook', body);
  expect(lines.at(-1)).toContain('not signed');
});

test('a secret added to the file counts from the next delivery on', async () => {
  const body = '{"event":"task.created"}';
  writeFileSync(secretsFile, JSON.stringify({ secrets: ['whsec_first', 'whsec_later'] }));
  await post('/hook', body, signed(body, 'whsec_later'));
  expect(lines.at(-1)).toContain('task.created  signature ok');
});

test('the path chooses the answer', async () => {
  expect((await post('/status/503', '{}')).status).toBe(503);
  expect(lines.at(-1)).toContain('answered 503');
  expect((await post('/status/204', '{}')).status).toBe(204);
  const started = performance.now();
  expect((await post('/slow/120', '{}')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(110);
  expect((await post('/elsewhere', '{}')).status).toBe(404);
  expect(wantedAnswer('/status/99').status).toBe(404);
  expect(wantedAnswer('/hook/1').status).toBe(404);
});

test('it proves itself by echoing a challenge', async () => {
  const response = await post('/hook', JSON.stringify({ event: 'webhook.verification', data: { challenge: 'abc' } }));
  await expect(response.json()).resolves.toEqual({ challenge: 'abc' });
});

test('GET / shows the last deliveries, newest first', async () => {
  await post('/hook', '{"event":"newest"}', { 'Idempotency-Key': 'evt_1' });
  const { deliveries } = (await (await fetch(receiver.url)).json()) as { deliveries: ReceivedDelivery[] };
  expect(deliveries[0]).toMatchObject({ event: 'newest', idempotency_key: 'evt_1', answered: 200, signature: 'none' });
});

test('a delivery that is no JSON is shown all the same', async () => {
  expect((await post('/hook', 'not json')).status).toBe(200);
  expect(lines.at(-1)).toContain('unnamed event');
});
