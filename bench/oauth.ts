import { cpuSeconds } from './cpu.ts';
import { startLimitServer } from './limits/tables.ts';
import { LoadClient, wireRequest } from './load-client.ts';
import type { LoadResult } from './load-client.ts';
import type { BenchOptions } from './options.ts';
import { PEER_CLIENT } from './peers/client.ts';
import { SERVER_CORE, runScript } from './pinned.ts';
import { ms, printPinning, printTable, rate, verdict, waitForQuiet } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { median } from './statistics.ts';
import { BenchTenants } from './tenants.ts';

/** One server under one grant; a refresh follows the chain of its connection. */
interface Subject {
  name: string;
  port: number;
  pid: number;
  request: string;
  /** The refresh tokens that the connections go on from. */
  chains?: readonly string[];
}

interface Figure extends LoadResult {
  serverCpu: number;
}

type Figures = Map<string, Figure[]>;

const OURS = 'client_credentials, token stored';
const OUR_REFRESH = 'refresh rotation';
const PEER_MEMORY = 'oidc-provider in memory, JWT, stored nowhere';
const PEER_STORED = 'oidc-provider on PostgreSQL, stored';
const PEER_REFRESH_MEMORY = 'oidc-provider in memory, refresh';
const PEER_REFRESH_STORED = 'oidc-provider on PostgreSQL, refresh';
const SIGNATURE = 'Express + 1 ES256 signature';

const SCOPE = 'contacts:read';
const REFRESH_PATTERN = '"refresh_token":"([^"]+)"';

/** Grants of the token endpoint beside node-oidc-provider's, on the same core and the same PostgreSQL. */
export async function benchOauth(options: BenchOptions): Promise<void> {
  printPinning();
  const { seconds, runs, warmupSeconds, connections } = options;
  console.log(
    `${String(connections)} keep-alive connections, ${String(runs)} × ${String(seconds)} s after ${String(warmupSeconds)} s of warm-up, medians; fsync on`,
  );
  const stack = await startStack({ workers: [], apiCore: SERVER_CORE, profileDir: options.profileDir });
  const load = await LoadClient.start();
  const stops: (() => Promise<void>)[] = [() => load.stop()];
  try {
    const subjects = [
      ...(await ourSubjects(stack, connections)),
      ...(await peerSubjects('memory', stack.ownerUrl, stops)),
      ...(await peerSubjects('postgres', stack.ownerUrl, stops)),
      await signatureSubject(stack.ownerUrl, stops),
    ];
    print(await measure(subjects, load, options));
  } finally {
    await Promise.allSettled(stops.map((stop) => stop()));
    await stack.stop();
  }
}

async function ourSubjects(stack: BenchStack, connections: number): Promise<Subject[]> {
  const tenants = new BenchTenants(stack);
  const { clientId, clientSecret, refreshTokens } = await tenants.application([SCOPE], connections);
  await tenants.close();
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const at = { port: stack.apiPort, pid: stack.pids['api'] ?? 0 };
  return grantSubjects(at, '/api/v1/oauth/token', credentials, { grant: OURS, refresh: OUR_REFRESH }, refreshTokens);
}

async function peerSubjects(
  kind: 'memory' | 'postgres',
  databaseUrl: string,
  stops: (() => Promise<void>)[],
): Promise<Subject[]> {
  const env = { ...process.env, PEER_DATABASE_URL: databaseUrl, NODE_ENV: 'production' };
  const peer = await runScript('bench/peers/oidc-provider.ts', { args: [kind], env, core: SERVER_CORE });
  stops.push(() => peer.stop());
  const credentials = { client_id: PEER_CLIENT.id, client_secret: PEER_CLIENT.secret };
  const names =
    kind === 'memory'
      ? { grant: PEER_MEMORY, refresh: PEER_REFRESH_MEMORY }
      : { grant: PEER_STORED, refresh: PEER_REFRESH_STORED };
  const at = { port: Number(peer.ready['port']), pid: peer.pid };
  return grantSubjects(at, '/token', credentials, names, peer.ready['seeds'] as string[]);
}

function grantSubjects(
  at: { port: number; pid: number },
  path: string,
  credentials: Readonly<Record<string, string>>,
  names: { grant: string; refresh: string },
  chains: readonly string[],
): Subject[] {
  const grant = { ...credentials, grant_type: 'client_credentials', scope: SCOPE };
  const refresh = { ...credentials, grant_type: 'refresh_token', refresh_token: '{value}' };
  const valueLength = chains[0]?.length ?? 0;
  return [
    { ...at, name: names.grant, request: wireRequest({ method: 'POST', path, form: grant }) },
    { ...at, name: names.refresh, request: wireRequest({ method: 'POST', path, form: refresh, valueLength }), chains },
  ];
}

async function signatureSubject(databaseUrl: string, stops: (() => Promise<void>)[]): Promise<Subject> {
  const limit = await startLimitServer('sign', databaseUrl);
  stops.push(() => limit.stop());
  return { name: SIGNATURE, port: limit.port, pid: limit.pid, request: wireRequest({ method: 'GET', path: '/sign' }) };
}

async function measure(subjects: readonly Subject[], load: LoadClient, options: BenchOptions): Promise<Figures> {
  const { seconds, warmupSeconds, connections, runs } = options;
  const figures: Figures = new Map(subjects.map(({ name }) => [name, []]));
  const chains = new Map(subjects.map(({ name, chains: first }) => [name, first]));
  for (let round = 1; round <= runs; round += 1) {
    for (const { name, port, pid, request } of subjects.filter((subject) => subject.name.includes(options.only))) {
      await waitForQuiet(options);
      const first = chains.get(name);
      const follow = first === undefined ? {} : { follow: { pattern: REFRESH_PATTERN, first } };
      const job = { port, requests: [request], expectedStatus: 200, connections, warmupSeconds, seconds, ...follow };
      const before = cpuSeconds(pid);
      const result = await load.run(job).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`, { cause: error });
      });
      if (first !== undefined) chains.set(name, result.followed);
      figures.get(name)?.push({ ...result, serverCpu: ((cpuSeconds(pid) - before) / result.answered) * 1e6 });
    }
  }
  return figures;
}

function print(figures: Figures): void {
  const of = (name: string, pick: (figure: Figure) => number): number => median((figures.get(name) ?? []).map(pick));
  const perSecond = (name: string): number => of(name, (figure) => figure.requestsPerSecond);
  const ratio = (ours: string, theirs: string, target: number): string[] => {
    const value = perSecond(ours) / perSecond(theirs);
    const both = [rate(perSecond(ours)), theirs, rate(perSecond(theirs))];
    return [ours, ...both, value.toFixed(2), `≥ ${target.toFixed(2)}`, verdict(value >= target)];
  };
  printTable(
    ['grant', 'ours/s', 'beside', 'its/s', 'ratio', 'target', ''],
    [
      ratio(OURS, PEER_MEMORY, 0.5),
      ratio(OURS, PEER_STORED, 1.5),
      ratio(OUR_REFRESH, PEER_REFRESH_STORED, 1.5),
      ratio(OUR_REFRESH, PEER_REFRESH_MEMORY, 0.5),
    ],
  );
  const p99 = (name: string): number => of(name, (figure) => figure.p99);
  console.log(
    `p99 of client_credentials: ours ${ms(p99(OURS))} ms, the peer's ${ms(p99(PEER_MEMORY))} ms (in memory), ` +
      `${ms(p99(PEER_STORED))} ms (PostgreSQL): ${verdict(p99(OURS) <= p99(PEER_STORED))} against the stored one`,
  );
  const details = [...figures.keys()].map((name) => [
    name,
    rate(perSecond(name)),
    ms(of(name, (figure) => figure.p50)),
    ms(of(name, (figure) => figure.p95)),
    ms(p99(name)),
    of(name, (figure) => figure.serverCpu).toFixed(0),
  ]);
  printTable(['', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', 'server CPU µs/op'], details);
}
