import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { STACK_VARIABLE, withDatabase } from './run-stack.ts';
import type { StackAddresses } from './run-stack.ts';

export { startReceiver } from './receiver.ts';
export type { ReceivedRequest, Receiver, Reply } from './receiver.ts';
export { spawnProcess } from './spawn-process.ts';
export type { SpawnedProcess } from './spawn-process.ts';

export interface TestDatabase {
  name: string;
  ownerUrl: string;
  appUrl: string;
  systemUrl: string;
  /** Passes by row-level security; for looking at what happened, not for the code under test. */
  superuserUrl: string;
  drop(): Promise<void>;
}

function addresses(): StackAddresses {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined)
    throw new Error('test/support/global-setup.ts did not run: start the tests through jest.config.js');
  return JSON.parse(text) as StackAddresses;
}

/** Files of this run of the tests alone. */
export function runFolder(): string {
  return addresses().runFolder;
}

/** A database of its own for a test file, with all migrations applied: a copy of a template, so that it costs ~50 ms. */
export async function testDatabase(): Promise<TestDatabase> {
  const { ownerUrl, appUrl, systemUrl, superuserUrl, template } = addresses();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(superuserUrl, `create database ${name} template ${template} owner owner`);
  // The tests share one Temporal: a delivery's id is in its workflow's, and each database would begin with the same ones.
  const firstDelivery = randomInt(1_000_000, 1_000_000_000) * 1_000;
  const restart = `alter sequence deliveries_id_seq restart with ${String(firstDelivery)}`;
  await asSuperuser(withDatabase(superuserUrl, name), restart);
  return {
    name,
    ownerUrl: withDatabase(ownerUrl, name),
    appUrl: withDatabase(appUrl, name),
    systemUrl: withDatabase(systemUrl, name),
    superuserUrl: withDatabase(superuserUrl, name),
    drop: () => asSuperuser(superuserUrl, `drop database if exists ${name} with (force)`),
  };
}

/** The run's Temporal dev server, namespace `default`. Take a queue prefix of your own: `uniqueName()`. */
export function temporalAddress(): string {
  return addresses().temporalAddress;
}

/** A name that no other test has: for task-queue prefixes, workflow ids, tenants. */
export function uniqueName(prefix = 't'): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** The environment of a real API or worker process on this database, with task queues of its own. */
export function processEnvironment(
  database: TestDatabase,
  overrides: Record<string, string> = {},
): Record<string, string> {
  const { secrets, varDir, temporalAddress: address } = addresses();
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    API_PORT: '0',
    DATABASE_APP_URL: database.appUrl,
    DATABASE_SYSTEM_URL: database.systemUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TASK_QUEUE_PREFIX: `${database.name}-`,
    BLOB_DIR: join(varDir, 'blobs', database.name),
    WORKFLOW_BUNDLE_DIR: join(varDir, 'cache'),
    NODE_COMPILE_CACHE: join(varDir, 'cache', 'modules'),
    ALLOW_PRIVATE_TARGETS: 'true',
    ...secrets,
    ...overrides,
  };
}

async function asSuperuser(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
