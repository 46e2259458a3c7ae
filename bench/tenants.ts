import { randomUUID } from 'node:crypto';
import { addRefreshToken } from '../domain/auth/index.ts';
import type { Caller } from '../domain/contracts/caller.ts';
import { CreateOAuthApplication } from '../domain/contracts/oauth.ts';
import { CreateWebhook } from '../domain/contracts/webhooks.ts';
import { entities } from '../domain/entities.ts';
import { API_KEY_PREFIX, API_KEY_VAULT_CONTEXT } from '../domain/keys/index.ts';
import { createApplication } from '../domain/oauth/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../domain/tenancy/index.ts';
import type { ClientColumns } from '../domain/tenancy/index.ts';
import { book } from '../domain/vision/index.ts';
import { createWebhook } from '../domain/webhooks/index.ts';
import { createToken, createVault, sha256 } from '../platform/crypto.ts';
import { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import { createLogger } from '../platform/log.ts';
import type { BenchStack } from './stack.ts';

export interface BenchKey {
  clientId: number;
  apiKey: string;
}

const INSERT_CLIENTS = statement(`
  insert into clients (slug, name, tier, finance_tier, production_api_enabled)
  select 'bench-' || gen_random_uuid(), 'Bench ' || i, 'enterprise', 'full', true from generate_series(1, $1::int) i
  returning id`);
const INSERT_OWNERS = statement(`
  insert into users (client_id, email, name, password_hash, role)
  select id, 'owner@' || slug || '.example', 'Owner', 'x', 'owner' from clients where id = any($1)`);
const INSERT_KEY = statement(`
  insert into api_keys (client_id, user_id, key_name, scopes, rate_limit_per_minute, key_hash, key_ciphertext,
    master_key_id, api_key_masked)
  select $1, u.id, $2, array['*'], $6, $3, $4, $5, 'svc_sk_...' from users u where u.client_id = $1`);
const FIND_CALLER = statement(`
  select u.id as user_id, ${CLIENT_COLUMNS} from clients c join users u on u.client_id = c.id where c.id = $1`);

/** The clients of a benchmark, made below the API: nobody measures how fast they come to be. */
export class BenchTenants {
  readonly #system: SystemDatabase;
  readonly #tenants: TenantDatabase;
  readonly #vault: ReturnType<typeof createVault>;

  constructor(stack: BenchStack) {
    const shared = { poolSize: 2, applicationName: 'bench', entities, log: createLogger('bench', 'warn') };
    this.#system = new SystemDatabase({ ...shared, url: stack.systemUrl });
    this.#tenants = new TenantDatabase({ ...shared, url: stack.appUrl });
    this.#vault = createVault(stack.masterKey);
  }

  /** New clients with an owner each, and keys that may do everything. */
  async create(clients: number, keysPerClient: number, requestsPerMinute = 5_000): Promise<BenchKey[]> {
    return this.#system.transaction(async (tx) => {
      const rows = await tx.query<{ id: number }>(INSERT_CLIENTS, [clients]);
      await tx.query(INSERT_OWNERS, [rows.map(({ id }) => id)]);
      return rows.flatMap(({ id: clientId }) =>
        Array.from({ length: keysPerClient }, (_, index) => {
          const apiKey = createToken(API_KEY_PREFIX);
          const sealed = this.#vault.seal(apiKey, API_KEY_VAULT_CONTEXT);
          const name = `key ${String(index)}`;
          tx.write(INSERT_KEY, [clientId, name, sha256(apiKey), sealed, this.#vault.keyId, requestsPerMinute]);
          return { clientId, apiKey };
        }),
      );
    });
  }

  /** Makes a webhook; `settings` are further fields of it. Answers its id. */
  async subscribe(
    clientId: number,
    url: string,
    events: readonly string[],
    settings: Record<string, unknown> = {},
  ): Promise<number> {
    const caller = await this.ownerOf(clientId);
    const input = CreateWebhook.parse({ name: 'bench', endpoint_url: url, events, ...settings });
    const { webhook } = await this.#tenants.transaction(clientId, (tx) =>
      createWebhook(tx, caller, input, { vault: this.#vault, allowPrivateTargets: true }),
    );
    return webhook.id;
  }

  /** An OAuth application that may do what its scopes say, and so many refresh tokens of chains of its own. */
  async application(
    scopes: readonly string[],
    chains: number,
  ): Promise<{ clientId: string; clientSecret: string; refreshTokens: string[] }> {
    const [key] = await this.create(1, 1);
    if (key === undefined) throw new Error('no client was made');
    const caller = await this.ownerOf(key.clientId);
    const input = CreateOAuthApplication.parse({
      name: 'Bench',
      redirect_uris: ['https://app.example/callback'],
      scopes,
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    const {
      id,
      client_id: clientId,
      client_secret: clientSecret,
    } = await this.#tenants.transaction(key.clientId, (tx) => createApplication(tx, caller, input, this.#vault));
    const link = { clientId: key.clientId, userId: caller.userId ?? 0, applicationId: id, scopes };
    const refreshTokens = await this.#system.transaction((tx) =>
      Promise.resolve(
        Array.from({ length: chains }, () =>
          addRefreshToken(tx, { ...link, chainId: randomUUID(), authenticatedAt: new Date() }, Date.now()),
        ),
      ),
    );
    return { clientId, clientSecret: clientSecret ?? '', refreshTokens };
  }

  async grantCredits(clientId: number, amount: number): Promise<void> {
    await this.#tenants.transaction(clientId, (tx) =>
      book(tx, { clientId, reference: 'bench', step: 'grant', amount, bundle: 'Bench' }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#system.close(), this.#tenants.close()]);
  }

  async ownerOf(clientId: number): Promise<Caller> {
    const [row] = await this.#system.query<ClientColumns & { user_id: number } & Record<string, unknown>>(FIND_CALLER, [
      clientId,
    ]);
    if (row === undefined) throw new Error(`no client ${String(clientId)}`);
    return {
      clientId,
      client: clientFactsOf(row),
      actor: { type: 'user', id: String(row.user_id) },
      userId: row.user_id,
      role: 'owner',
      scopes: new Set(['*']),
      address: null,
    };
  }
}
