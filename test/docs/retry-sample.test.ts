import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeBlock } from './code-blocks.ts';

type Send = (url: string, options: RequestInit, tries?: number) => Promise<Response>;

const asked: { at: number; key: string | undefined }[] = [];
let answers: { status: number; retryAfter?: string }[] = [];
let server: Server;
let url: string;
let send: Send;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ at: performance.now(), key: request.headers['idempotency-key'] as string | undefined });
    const { status, retryAfter } = answers.shift() ?? { status: 200 };
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const code = codeBlock('docs/guides/errors.md', 'js', 'export async function send');
  send = ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { send: Send }).send;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it('the retry code of the errors guide waits as Retry-After says, keeps the key, and gives up on a final refusal', async () => {
  answers = [{ status: 503 }, { status: 429, retryAfter: '2' }, { status: 201 }];
  const answer = await send(url, { method: 'POST', headers: { 'Idempotency-Key': 'one' } });
  expect(answer.status).toBe(201);
  expect(asked.map(({ key }) => key)).toEqual(['one', 'one', 'one']);
  expect(asked[2]!.at - asked[1]!.at).toBeGreaterThan(1_900);

  asked.length = 0;
  answers = [{ status: 422 }];
  expect((await send(url, { method: 'POST' })).status).toBe(422);
  expect(asked).toHaveLength(1);

  answers = [{ status: 500 }, { status: 500 }];
  expect((await send(url, { method: 'POST' }, 2)).status).toBe(500);
});
