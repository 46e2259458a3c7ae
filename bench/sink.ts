import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the sink has received since the last reset. */
export interface SinkState {
  /** Events of different numbers. */
  count: number;
  duplicates: number;
  /** When the last event came, on the clock that all processes share. */
  lastAt: number;
  /** Number and first arrival of each; only when asked for. */
  arrivals: [number, number][];
}

const clock = (): number => performance.timeOrigin + performance.now();
let arrivals = new Map<number, number>();
let duplicates = 0;
let lastAt = 0;

/** Answers 200 at once and notes when each event, known by `"n": <number>` in its body, came first. */
const server = createServer((request, response) => {
  const at = clock();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, { 'content-length': '2' }).end('ok');
    const number = /"n":\s*(\d+)/.exec(Buffer.concat(chunks).toString())?.[1];
    if (number === undefined) return;
    lastAt = at;
    if (arrivals.has(Number(number))) duplicates += 1;
    else arrivals.set(Number(number), at);
  });
});
server.keepAliveTimeout = 60_000;

process.on('message', (command: 'count' | 'dump' | 'reset') => {
  if (command === 'reset') {
    arrivals = new Map();
    duplicates = 0;
  }
  const state: SinkState = {
    count: arrivals.size,
    duplicates,
    lastAt,
    arrivals: command === 'dump' ? [...arrivals] : [],
  };
  process.send?.({ type: 'state', state });
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook` });
});
