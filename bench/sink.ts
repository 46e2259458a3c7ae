import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the sink has received since the last reset. */
export interface SinkState {
  /** Different events, counted for each endpoint. */
  count: number;
  duplicates: number;
  /** When the last event came, on the clock that all processes share. */
  lastAt: number;
  /** Number and first arrival of each; only when asked for. */
  arrivals: [number, number][];
  /** When each event was sent, for the endpoint that refuses at first; only when asked for. */
  attempts: [number, number[]][];
  /** Requests that the hanging endpoint holds. */
  hanging: number;
}

export type SinkCommand = 'count' | 'dump' | 'reset' | { failing: readonly string[] };

const clock = (): number => performance.timeOrigin + performance.now();
let arrivals = new Map<string, [n: number, at: number]>();
let attempts = new Map<number, number[]>();
let failing = new Set<string>();
let duplicates = 0;
let lastAt = 0;
let hanging = 0;

/**
 * One endpoint for each path. It answers 200 at once and notes when each event, known by `"n": <number>` in its body, came
 * first. `/third…` refuses an event's first two sends, `/hang…` never answers, and any can be told to fail.
 */
const server = createServer((request, response) => {
  const at = clock();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const number = /"n":\s*(\d+)/.exec(Buffer.concat(chunks).toString())?.[1];
    if (number === undefined) answer(response, 200);
    else take(request, response, Number(number), at);
  });
});
server.keepAliveTimeout = 60_000;

function take({ url = '' }: IncomingMessage, response: ServerResponse, n: number, at: number): void {
  if (url.startsWith('/hang')) {
    hanging += 1;
    return;
  }
  if (failing.has(url)) {
    answer(response, 503);
    return;
  }
  if (url.startsWith('/third')) {
    const times = attempts.get(n) ?? [];
    attempts.set(n, [...times, at]);
    if (times.length < 2) {
      answer(response, 500);
      return;
    }
  }
  answer(response, 200);
  lastAt = at;
  const key = `${url} ${String(n)}`;
  if (arrivals.has(key)) duplicates += 1;
  else arrivals.set(key, [n, at]);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': '2' }).end('ok');
}

process.on('message', (command: SinkCommand) => {
  if (command === 'reset') {
    arrivals = new Map();
    attempts = new Map();
    duplicates = 0;
    hanging = 0;
  } else if (typeof command === 'object') failing = new Set(command.failing);
  const isDump = command === 'dump';
  const state: SinkState = {
    count: arrivals.size,
    duplicates,
    lastAt,
    arrivals: isDump ? [...arrivals.values()] : [],
    attempts: isDump ? [...attempts] : [],
    hanging,
  };
  process.send?.({ type: 'state', state });
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
});
