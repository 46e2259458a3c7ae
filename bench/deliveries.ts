import pg from 'pg';
import { entities } from '../domain/entities.ts';
import { createVault } from '../platform/crypto.ts';
import { TenantDatabase } from '../platform/db/database.ts';
import { createLogger } from '../platform/log.ts';
import { hashPassword } from '../platform/password.ts';
import { indexesOf } from './data-plans.ts';
import { logCases } from './deliveries-cases.ts';
import type { LogCase, LogSamples } from './deliveries-cases.ts';
import { ABSENT_EVENT, COMMON_EVENT, RARE_EVENT, seedDeliveries, UNCOMMON_EVENT } from './deliveries-seed.ts';
import type { DeliverySizes, SeededWebhooks } from './deliveries-seed.ts';
import { benchUpkeep } from './deliveries-upkeep.ts';
import type { BenchOptions } from './options.ts';
import { ms, printTable, verdict, waitForQuiet } from './report.ts';
import { startStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { quantile } from './statistics.ts';
import { BenchTenants } from './tenants.ts';

const CLIENTS = 200;
const EVENTS = 8_000_000;
const EVENTS_QUICK = 400_000;
const TARGET_MS = 30;
const WARM_UP = 7;
const SUBSCRIBED = [
  COMMON_EVENT,
  UNCOMMON_EVENT,
  RARE_EVENT,
  ABSENT_EVENT,
  'contact.updated',
  'job.created',
  'task.updated',
];

/** The delivery log, the DLQ and the event log over ten million deliveries, and their upkeep beside new ones. */
export async function benchDeliveries(options: BenchOptions): Promise<void> {
  const stack = await startStack({ workers: [], isLimited: false });
  const tenants = new BenchTenants(stack);
  try {
    const events = options.isQuick ? EVENTS_QUICK : EVENTS;
    const receivers = await makeWebhooks(tenants);
    const started = performance.now();
    await seedDeliveries(stack.ownerUrl, { ...receivers, events });
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    console.log(
      `\n${events.toLocaleString('en')} events and a quarter more deliveries of ${String(CLIENTS)} clients, a tenth of them one webhook's, ` +
        `made in ${seconds} s; one connection, through the whole API; target p95 < ${String(TARGET_MS)} ms`,
    );
    await benchLogs(stack, tenants, receivers.large, options);
    await benchUpkeep(stack.systemUrl, receivers, options);
  } finally {
    await tenants.close();
    await stack.stop();
  }
}

async function makeWebhooks(tenants: BenchTenants): Promise<Pick<DeliverySizes, 'large' | 'others'>> {
  const keys = await tenants.create(CLIENTS, 1);
  const subscribe = (clientId: number): Promise<number> =>
    tenants.subscribe(clientId, 'https://receiver.example/hook', SUBSCRIBED);
  const [first, ...rest] = keys;
  if (first === undefined) throw new Error('no client was made');
  const { clientId } = first;
  const large = { clientId, busyId: await subscribe(clientId), failingId: await subscribe(clientId) };
  const others: DeliverySizes['others'][number][] = [];
  for (const { clientId: id } of rest)
    others.push({ clientId: id, webhookIds: [await subscribe(id), await subscribe(id)] });
  return { large, others };
}

/** Measures each read of the logs; the database may be any that `seedDeliveries` has filled. */
export async function benchLogs(
  stack: Pick<BenchStack, 'apiUrl' | 'appUrl' | 'ownerUrl' | 'masterKey'>,
  tenants: BenchTenants,
  large: SeededWebhooks,
  options: BenchOptions,
): Promise<void> {
  const log = createLogger('bench', 'warn');
  const app = new TenantDatabase({ url: stack.appUrl, poolSize: 1, applicationName: 'bench', entities, log });
  const vault = createVault(stack.masterKey);
  try {
    const caller = await tenants.ownerOf(large.clientId);
    const { samples, token } = await samplesAndToken(stack, large);
    const lines: string[][] = [];
    for (const one of logCases(large, samples).filter(({ name }) => name.includes(options.only))) {
      await waitForQuiet(options);
      const times = await timesOf(stack.apiUrl, token, one, options.seconds);
      const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
      const indexes = await indexesOf(app, caller, { name: one.operation, input: one.input(1), vault });
      lines.push([one.name, ms(times[0] ?? NaN), ms(p50), ms(p95), verdict(p95 < TARGET_MS), indexes]);
    }
    printTable(['request', 'first ms', 'p50 ms', 'p95 ms', '', 'indexes used'], lines);
  } finally {
    await app.close();
  }
}

/** Deliveries and events to ask for, and the token of the owner, who logs in. */
async function samplesAndToken(
  stack: Pick<BenchStack, 'apiUrl' | 'ownerUrl'>,
  { clientId, busyId, failingId }: SeededWebhooks,
): Promise<{ samples: LogSamples; token: string }> {
  const owner = new pg.Client({ connectionString: stack.ownerUrl });
  await owner.connect();
  try {
    const pick = async <T>(column: string, webhookId: number, status: string): Promise<T[]> => {
      const sql = `select ${column} as value from deliveries where client_id = $1 and webhook_id = $2 and status = $3 and id % 7 = 0 limit 500`;
      const { rows } = await owner.query<{ value: T }>(sql, [clientId, webhookId, status]);
      return rows.map(({ value }) => value);
    };
    const samples = {
      deliveryIds: await pick<number>('id', busyId, 'success'),
      failedIds: await pick<number>('id', failingId, 'failed'),
      eventIds: await pick<string>('event_id', busyId, 'success'),
    };
    const password = 'correct horse battery staple';
    const { rows } = await owner.query<{ email: string }>(
      `update users set password_hash = $1 where client_id = $2 and role = 'owner' returning email`,
      [await hashPassword(password), clientId],
    );
    const response = await fetch(`${stack.apiUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: rows[0]?.email, password }),
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data?: { access_token?: string } };
    if (data?.access_token === undefined) throw new Error(`login answered ${String(response.status)}: ${text}`);
    return { samples, token: data.access_token };
  } finally {
    await owner.end();
  }
}

/** One request after the other; the first is given too, as nothing was in the caches for it. */
async function timesOf(apiUrl: string, token: string, { name, path }: LogCase, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1_000;
  for (let n = 0; n < 200 + WARM_UP && (performance.now() < deadline || n < 20); n += 1) {
    const since = performance.now();
    const response = await fetch(`${apiUrl}${path(n)}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name} answered ${String(response.status)}: ${text}`);
    if (n >= WARM_UP || n === 0) times.push(performance.now() - since);
  }
  return times;
}
