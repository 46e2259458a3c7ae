import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { processEnvironment, spawnProcess, testDatabase } from '../support/stack.ts';
import type { ReceivedRequest, SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { MASTER_KEY, Tenant } from '../worker/tenant.ts';

export interface Answer {
  status: number;
  /** Carries `Idempotency-Replayed: true`. */
  isReplay: boolean;
  body: Record<string, unknown>;
}

const COUNTS = statement(`
  select (select count(*) from work_items where client_id = $1) as work_items,
    (select count(*) from events where client_id = $1 and work_item_id is not null) as events`);
const API_SESSIONS = statement(`
  select 1 from pg_stat_activity where datname = current_database() and application_name = 'api'`);
const SESSIONS_END_MS = 10_000;

/**
 * The platform as its processes, on a database of its own, with a tenant and its API key. A test kills and replaces the
 * processes as it likes; those left at the end are stopped by `close`.
 */
export class PlatformProcesses {
  readonly database: TestDatabase;
  readonly tenant: Tenant;
  readonly apiKey: string;
  readonly environment: Record<string, string>;
  readonly #running: SpawnedProcess[] = [];
  // Not the global one: a killed API's half-open connections must not outlive the test.
  readonly #agent = new Agent();

  private constructor(database: TestDatabase, tenant: Tenant, apiKey: string, environment: Record<string, string>) {
    this.database = database;
    this.tenant = tenant;
    this.apiKey = apiKey;
    this.environment = environment;
  }

  /** `overrides` are variables for every process, e.g. the address of a Temporal of the test's own. */
  static async create(overrides: Record<string, string> = {}): Promise<PlatformProcesses> {
    const database = await testDatabase();
    const tenant = await Tenant.create(database);
    const input = CreateApiKey.parse({ key_name: 'chaos', permissions: { '*': true }, rate_limit_per_minute: 5_000 });
    const { apiKey } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
      createApiKey(tx, tenant.caller, input, { vault: tenant.vault, now: Date.now() }),
    );
    const environment = processEnvironment(database, { MASTER_KEY, ...overrides });
    return new PlatformProcesses(database, tenant, apiKey, environment);
  }

  startApi(): Promise<SpawnedProcess> {
    return this.#start('api/server.ts', []);
  }

  startWorker(queue: 'platform' | 'documents'): Promise<SpawnedProcess> {
    return this.#start('worker/main.ts', ['--queue', queue]);
  }

  /** Posts with the API key; rejects when no answer comes, as when the API dies meanwhile. */
  async post(
    api: SpawnedProcess,
    path: string,
    body: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await this.#agent.request({
      origin: api.url,
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': this.apiKey,
        authorization: `Bearer ${this.apiKey}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const isReplay = answer.headers['idempotency-replayed'] === 'true';
    return { status: answer.statusCode, isReplay, body: (await answer.body.json()) as Record<string, unknown> };
  }

  createWorkItem(api: SpawnedProcess, title: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.post(api, '/api/v1/public/data', { action: 'create-work-item', item_type: 'job', title }, headers);
  }

  /**
   * Work items and their events, as they were committed. Of a killed API a commit may still be on its way: counted is
   * once PostgreSQL has ended its sessions.
   */
  async committedByDeadApi(): Promise<{ work_items: number; events: number }> {
    const deadline = Date.now() + SESSIONS_END_MS;
    while ((await this.tenant.system.query(API_SESSIONS)).length > 0) {
      if (Date.now() > deadline) throw new Error('an API still has sessions in the database');
      await sleep(20);
    }
    const [row] = await this.tenant.system.query<{ work_items: number; events: number }>(COUNTS, [
      this.tenant.clientId,
    ]);
    return row ?? { work_items: 0, events: 0 };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
    await Promise.all(this.#running.map((process) => process.stop()));
    await this.tenant.close();
    await this.database.drop();
    rmSync(this.environment['BLOB_DIR'] ?? '', { recursive: true, force: true });
  }

  async #start(entry: string, args: readonly string[]): Promise<SpawnedProcess> {
    const started = await spawnProcess(entry, this.environment, { args });
    this.#running.push(started);
    return started;
  }
}

/** The UUID of the work item in the answer to a create. */
export function createdItem({ body }: Answer): string {
  return (body as { data: { work_item_id: string } }).data.work_item_id;
}

/** The UUID of the work item that a `*.created` webhook tells of. */
export function announcedItem({ json }: ReceivedRequest): string {
  return (json as { data: { work_item: { work_item_id: string } } }).data.work_item.work_item_id;
}
