import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { messageOf } from './errors.ts';

/** What is kept of a delivery, and shown by `GET /`. */
export interface ReceivedDelivery {
  received_at: string;
  path: string;
  event: string;
  delivery_id: string | null;
  attempt: number | null;
  idempotency_key: string | null;
  signature: 'ok' | 'bad' | 'none';
  answered: number;
  body: unknown;
}

export interface DemoReceiverOptions {
  port: number;
  /** File with `{"secrets": ["whsec_…", …]}`: the signing secrets of the demo's webhooks, and its API key for callbacks. */
  secretsFile: string;
  print: (line: string) => void;
}

export interface DemoReceiver {
  url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_KEPT = 100;
const MAX_DELAY_MS = 120_000;

/**
 * Plays the customer's endpoint in the tour, on loopback: checks each signature as a customer would and prints a line.
 * `POST /hook` answers 200, `/status/<code>` that code, `/slow/<ms>` 200 after a while.
 */
export async function startDemoReceiver({ port, secretsFile, print }: DemoReceiverOptions): Promise<DemoReceiver> {
  const secrets = secretsReader(secretsFile);
  const kept: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    handle(request, response, { secrets, kept, print }).catch((error: unknown) => {
      print(`request failed: ${messageOf(error)}`);
      response.destroy();
    });
  });
  const listening = await listen(server, port);
  return {
    url: `http://127.0.0.1:${String(listening)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

interface Context {
  secrets: () => string[];
  kept: ReceivedDelivery[];
  print: (line: string) => void;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, kept, print }: Context,
): Promise<void> {
  if (request.method === 'GET') {
    answer(response, 200, { deliveries: kept });
    return;
  }
  const raw = await readBody(request);
  if (raw === undefined) {
    answer(response, 413, { error: 'the body is over 32 MB' });
    return;
  }
  const { status, delayMs } = wantedAnswer(request.url ?? '/');
  const delivery = describe(request, raw, checkSignature(request, raw, secrets()), status);
  kept.unshift(delivery);
  kept.length = Math.min(kept.length, MAX_KEPT);
  print(deliveryLine(delivery));
  if (delayMs > 0) await sleep(delayMs);
  const challenge = challengeOf(delivery.body);
  answer(response, status, challenge === undefined ? { received: true } : { challenge });
}

/** What the path asks for. An unknown path is 404, as at a customer who mistyped the address. */
export function wantedAnswer(path: string): { status: number; delayMs: number } {
  const [, kind, value] = /^\/(hook|status|slow)(?:\/(\d{1,6}))?\/?(?:\?.*)?$/.exec(path) ?? [];
  if (kind === 'hook' && value === undefined) return { status: 200, delayMs: 0 };
  if (kind === 'status' && Number(value) >= 200 && Number(value) <= 599) return { status: Number(value), delayMs: 0 };
  if (kind === 'slow' && value !== undefined) return { status: 200, delayMs: Math.min(Number(value), MAX_DELAY_MS) };
  return { status: 404, delayMs: 0 };
}

function checkSignature(
  request: IncomingMessage,
  raw: Buffer,
  secrets: readonly string[],
): ReceivedDelivery['signature'] {
  const header = headerOf(request, 'x-service-signature');
  if (header === null) return 'none';
  return secrets.some((secret) => signatureFits(header, raw, secret)) ? 'ok' : 'bad';
}

/** `sha256=<hex>` = HMAC-SHA256 of the body's bytes as they came, compared in constant time. */
export function signatureFits(header: string, raw: Buffer, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function describe(
  request: IncomingMessage,
  raw: Buffer,
  signature: ReceivedDelivery['signature'],
  answered: number,
): ReceivedDelivery {
  const body = parseJson(raw);
  const attempt = headerOf(request, 'x-webhook-attempt');
  return {
    received_at: new Date().toISOString(),
    path: request.url ?? '/',
    event: headerOf(request, 'x-webhook-event') ?? textField(body, 'event') ?? 'unnamed event',
    delivery_id: headerOf(request, 'x-webhook-delivery'),
    attempt: attempt === null ? null : Number(attempt),
    idempotency_key: headerOf(request, 'idempotency-key'),
    signature,
    answered,
    body,
  };
}

export function deliveryLine(delivery: ReceivedDelivery): string {
  const signature = { ok: 'signature ok', bad: 'signature BAD', none: 'not signed' }[delivery.signature];
  const parts = [delivery.received_at.slice(11, 23), delivery.event];
  if (delivery.delivery_id !== null) parts.push(`delivery ${delivery.delivery_id}`);
  if (delivery.attempt !== null) parts.push(`attempt ${String(delivery.attempt)}`);
  parts.push(signature);
  if (delivery.answered !== 200) parts.push(`answered ${String(delivery.answered)}`);
  return parts.join('  ');
}

/** The secrets in the file, read again when it has changed. */
function secretsReader(path: string): () => string[] {
  let readAt = -1;
  let secrets: string[] = [];
  return () => {
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined || changedAt === readAt) return secrets;
    const parsed = parseJson(readFileSync(path)) as { secrets?: unknown } | undefined;
    // A file that is being written is not JSON yet: the next delivery reads it again.
    if (parsed === undefined) return secrets;
    readAt = changedAt;
    secrets = Array.isArray(parsed.secrets) ? parsed.secrets.filter((secret) => typeof secret === 'string') : [];
    return secrets;
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  // 204 and 304 have no body by definition.
  if (status === 204 || status === 304) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body, null, 2)}\n`);
}

/** An endpoint proves itself by echoing the challenge of a `webhook.verification` event. */
function challengeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  return textField(body, 'challenge') ?? textField((body as { data?: unknown }).data, 'challenge');
}

function textField(value: unknown, name: string): string | undefined {
  const field = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const receiver = await startDemoReceiver({
    port: Number(process.env['RECEIVER_PORT'] ?? 0),
    secretsFile: join(process.env['VAR_DIR'] ?? 'var', 'demo-receiver.json'),
    print: (line) => process.stdout.write(`${line}\n`),
  });
  const stop = (): void => {
    void receiver.close().then(() => process.exit(0));
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, stop);
  process.send?.({ type: 'ready', url: receiver.url });
}
