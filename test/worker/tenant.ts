import type { Caller } from '../../domain/contracts/caller.ts';
import { CreateWebhook } from '../../domain/contracts/webhooks.ts';
import type { DeliveryStatus } from '../../domain/contracts/deliveries.ts';
import type { WebhookView } from '../../domain/contracts/webhooks.ts';
import { entities } from '../../domain/entities.ts';
import { recordEvent } from '../../domain/events/index.ts';
import { createWebhook } from '../../domain/webhooks/index.ts';
import { createVault } from '../../platform/crypto.ts';
import { SystemDatabase, TenantDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { createLogger } from '../../platform/log.ts';

/** The key that the tests seal secrets with; a worker process under test must be given the same. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

const INSERT_CLIENT = statement(`
  insert into clients (slug, name, tier, finance_tier) values ($1, $1, 'enterprise', 'full') returning id`);
const INSERT_USER = statement(`
  insert into users (client_id, email, name, password_hash, role) values ($1, $2, 'Owner', 'x', 'owner') returning id`);
const DELIVERIES = statement(`
  select id, webhook_id, event_id, event_type, status, round, sends, response_status, response_body, error_message,
    leased_until, next_attempt_at, dlq_at, dlq_reason, delivered_at
  from deliveries where client_id = $1 order by id`);
const ATTEMPTS = statement(`
  select delivery_id, round, send_number, response_status, error_message, at from delivery_attempts
  where client_id = $1 order by delivery_id, round, send_number`);

export interface DeliveryRecord extends Record<string, unknown> {
  id: number;
  webhook_id: number | null;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  round: number;
  sends: number;
  response_status: number | null;
  response_body: string | null;
  error_message: string | null;
  leased_until: Date | null;
  next_attempt_at: Date | null;
  dlq_at: Date | null;
  dlq_reason: string | null;
  delivered_at: Date | null;
}

export interface AttemptRecord extends Record<string, unknown> {
  delivery_id: number;
  round: number;
  send_number: number;
  response_status: number | null;
  error_message: string | null;
  at: Date;
}

/** A client with an owner, as the code under test sees it: its rows are made and read through the real services. */
export class Tenant {
  readonly tenants: TenantDatabase;
  readonly system: SystemDatabase;
  readonly vault = createVault(MASTER_KEY);
  readonly log = createLogger('test', 'silent');
  clientId = 0;
  caller!: Caller;

  private constructor(tenants: TenantDatabase, system: SystemDatabase) {
    this.tenants = tenants;
    this.system = system;
  }

  static async create(urls: { appUrl: string; systemUrl: string }, slug = 'acme'): Promise<Tenant> {
    const log = createLogger('test', 'silent');
    const shared = { poolSize: 8, applicationName: 'test', entities, log };
    const tenant = new Tenant(
      new TenantDatabase({ ...shared, url: urls.appUrl }),
      new SystemDatabase({ ...shared, url: urls.systemUrl }),
    );
    const [client] = await tenant.system.query<{ id: number }>(INSERT_CLIENT, [slug]);
    tenant.clientId = client?.id ?? 0;
    const [user] = await tenant.system.query<{ id: number }>(INSERT_USER, [tenant.clientId, `owner@${slug}.example`]);
    const facts = { tier: 'enterprise', finance_tier: 'full', production_api_enabled: true };
    const document_ai = { requests_per_minute: 2_000, concurrent_jobs: 500 };
    const place = { country: 'ZA', currency: 'ZAR', timezone: 'Africa/Johannesburg', document_ai };
    tenant.caller = {
      clientId: tenant.clientId,
      client: { id: tenant.clientId, slug, name: slug, ...facts, ...place },
      actor: { type: 'user', id: String(user?.id) },
      userId: user?.id ?? 0,
      role: 'owner',
      scopes: new Set(['*']),
      address: null,
    };
    return tenant;
  }

  /** Makes a webhook through the service; `events` defaults to `job.created`. */
  async webhook(
    url: string,
    input: Record<string, unknown> = {},
    allowPrivateTargets = true,
  ): Promise<{ webhook: WebhookView; secretKey: string }> {
    const parsed = CreateWebhook.parse({ name: 'test', endpoint_url: url, events: ['job.created'], ...input });
    const deps = { vault: this.vault, allowPrivateTargets };
    return this.tenants.transaction(this.clientId, (tx) => createWebhook(tx, this.caller, parsed, deps));
  }

  /** Records an event in a transaction of its own; answers its id. */
  async event(data: Record<string, unknown> = { work_item: { id: 1 } }, name = 'job.created'): Promise<string> {
    return this.tenants.transaction(this.clientId, (tx) => Promise.resolve(recordEvent(tx, { name, data })));
  }

  /** Records many events in one transaction. */
  async events(count: number, name = 'job.created'): Promise<string[]> {
    return this.tenants.transaction(this.clientId, (tx) =>
      Promise.resolve(
        Array.from({ length: count }, (_, index) => recordEvent(tx, { name, data: { work_item: { id: index } } })),
      ),
    );
  }

  deliveries(): Promise<DeliveryRecord[]> {
    return this.system.query<DeliveryRecord>(DELIVERIES, [this.clientId]);
  }

  attempts(): Promise<AttemptRecord[]> {
    return this.system.query<AttemptRecord>(ATTEMPTS, [this.clientId]);
  }

  /** Waits until the deliveries are as wished. */
  async until(
    isReached: (deliveries: DeliveryRecord[]) => boolean,
    { timeoutMs = 20_000 }: { timeoutMs?: number } = {},
  ): Promise<DeliveryRecord[]> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const deliveries = await this.deliveries();
      if (isReached(deliveries)) return deliveries;
      if (Date.now() > deadline) {
        const seen = deliveries
          .slice(0, 5)
          .map(({ id, status, sends, error_message }) => ({ id, status, sends, error_message }));
        throw new Error(
          `not reached within ${String(timeoutMs)} ms: ${String(deliveries.length)} deliveries, ${JSON.stringify(seen)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.tenants.close(), this.system.close()]);
  }
}
