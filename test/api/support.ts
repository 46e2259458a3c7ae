import { expect } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import supertest from 'supertest';
import type { Response } from 'supertest';
import { createApp } from '../../api/app.ts';
import { closeServices, createServices } from '../../api/services.ts';
import type { Services } from '../../api/services.ts';
import { issueAccessToken } from '../../domain/auth/access-token.ts';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import type { Caller, Role } from '../../domain/contracts/caller.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../../domain/tenancy/index.ts';
import type { ClientColumns } from '../../domain/tenancy/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config.ts';
import { statement } from '../../platform/db/statement.ts';
import { createLogger } from '../../platform/log.ts';
import { hashPassword } from '../../platform/password.ts';
import { AnswerValidator } from '../support/answer-validator.ts';
import { processEnvironment, testDatabase } from '../support/stack.ts';
import type { TestDatabase } from '../support/stack.ts';

export const PASSWORD = 'correct horse battery staple';
export const ROLES = ['owner', 'admin', 'member', 'auditor'] as const satisfies readonly Role[];
const TIMEOUT_MS = 15_000;
/** Tests share two cores and a disk: that a silent database is given up in time is shown on processes of their own (`test/chaos`). */
const DATABASE_ANSWER_MS = 10_000;

const INSERT_CLIENT = statement(`
  insert into clients (slug, name, tier, finance_tier, production_api_enabled) values ($1, $1, $2, $3, $4) returning id`);
const FIND_CLIENT = statement(`select ${CLIENT_COLUMNS} from clients c where c.id = $1`);
const INSERT_USER = statement(`
  insert into users (client_id, email, name, password_hash, role) values ($1, $2, $3, $4, $3) returning id`);
const INSERT_CONTACT = statement(`insert into contacts (client_id, name) values ($1, $2) returning id`);

/** Real time, moved forward by the test: expiry is shown without waiting. */
export class MovableClock implements Clock {
  #offsetMs = 0;

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  advance(seconds: number): void {
    this.#offsetMs += seconds * 1000;
  }
}

export interface ApiUser {
  id: number;
  email: string;
  role: Role;
}

export interface ClientTier {
  tier?: string;
  finance_tier?: string;
  production_api_enabled?: boolean;
}

/** One client with a user of each role. */
export class ApiTenant {
  readonly clientId: number;
  readonly users: Readonly<Record<Role, ApiUser>>;
  readonly caller: Caller;
  readonly #services: Services;
  #keys = 0;

  constructor(services: Services, caller: Caller, users: Record<Role, ApiUser>) {
    this.#services = services;
    this.clientId = caller.clientId;
    this.caller = caller;
    this.users = users;
  }

  /** An access token, as a login would issue it. */
  token(role: Role = 'owner'): Promise<string> {
    const { jwt, clock } = this.#services;
    return issueAccessToken(jwt, { userId: this.users[role].id, clientId: this.clientId }, clock.now());
  }

  /** An API key with the given scopes, made by the owner through the service. */
  async key(scopes: readonly string[] = ['*'], input: Record<string, unknown> = {}): Promise<string> {
    this.#keys += 1;
    const parsed = CreateApiKey.parse({
      key_name: `key ${String(this.#keys)}`,
      environment: 'testing',
      permissions: Object.fromEntries(scopes.map((scope) => [scope, true])),
      ...input,
    });
    const { tenants, vault, clock } = this.#services;
    const { apiKey } = await tenants.transaction(this.clientId, (tx) =>
      createApiKey(tx, this.caller, parsed, { vault, now: clock.now() }),
    );
    return apiKey;
  }

  async contact(name = 'Kruger Farms'): Promise<number> {
    const [row] = await this.#services.system.query<{ id: number }>(INSERT_CONTACT, [this.clientId, name]);
    return row?.id ?? 0;
  }
}

export interface ApiFixture {
  url: string;
  services: Services;
  clock: MovableClock;
  database: TestDatabase;
  /** What the API has logged so far, one JSON text per line. */
  logLines: string[];
  /** Enterprise tier, full finance tier, production access. */
  acme: ApiTenant;
  /** Free tier, no finance, no production access. */
  rival: ApiTenant;
  tenant(slug: string, tier?: ClientTier): Promise<ApiTenant>;
  http(): ReturnType<typeof supertest>;
  /** POST /api/v1/public/data with a key. */
  act(key: string, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** The API in this process over a database of its own. It trusts X-Forwarded-For, so that a test can choose its address. */
export async function startApi(environment: Record<string, string> = {}): Promise<ApiFixture> {
  const database = await testDatabase();
  const config = loadConfig(processEnvironment(database, { TRUSTED_PROXIES: '127.0.0.1', ...environment }));
  const logLines: string[] = [];
  const log = createLogger('api', 'info', { write: (line) => void logLines.push(line) });
  const clock = new MovableClock();
  const services = await createServices(config, log, clock, DATABASE_ANSWER_MS);
  const { server, url, answers } = await listen(services);
  const passwordHash = await hashPassword(PASSWORD);
  const tenant = (slug: string, tier: ClientTier = {}): Promise<ApiTenant> =>
    createTenant(services, slug, tier, passwordHash);
  const http = () => supertest(url);
  return {
    url,
    services,
    clock,
    database,
    logLines,
    acme: await tenant('acme', { tier: 'enterprise', finance_tier: 'full', production_api_enabled: true }),
    rival: await tenant('rival'),
    tenant,
    http,
    act: (key, body) =>
      http()
        .post('/api/v1/public/data')
        .set('X-API-Key', key)
        .timeout(TIMEOUT_MS)
        .send(body as object),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeServices(services);
      await database.drop();
      answers.expectNone();
    },
  };
}

/** Every answer is held against the OpenAPI document; `close` throws when one was not as documented. */
async function listen(services: Services): Promise<{ server: Server; url: string; answers: AnswerValidator }> {
  const server = createServer();
  // As the product's own: a client that pauses for five seconds on a busy machine is not to find its connection closed.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const answers = new AnswerValidator();
  server.on('request', (req, res) => {
    answers.watch(req, res);
  });
  server.on('request', createApp(services, url) as (...args: unknown[]) => void);
  return { server, url, answers };
}

async function createTenant(
  services: Services,
  slug: string,
  { tier = 'free', finance_tier = 'none', production_api_enabled = false }: ClientTier,
  passwordHash: string,
): Promise<ApiTenant> {
  const { system } = services;
  const [client] = await system.query<{ id: number }>(INSERT_CLIENT, [
    slug,
    tier,
    finance_tier,
    production_api_enabled,
  ]);
  const clientId = client?.id ?? 0;
  const [facts] = await system.query<ClientColumns & Record<string, unknown>>(FIND_CLIENT, [clientId]);
  const users: Partial<Record<Role, ApiUser>> = {};
  for (const role of ROLES) {
    const email = `${role}@${slug}.example`;
    const [user] = await system.query<{ id: number }>(INSERT_USER, [clientId, email, role, passwordHash]);
    users[role] = { id: user?.id ?? 0, email, role };
  }
  const all = users as Record<Role, ApiUser>;
  const caller: Caller = {
    clientId,
    client: clientFactsOf(facts!),
    actor: { type: 'user', id: String(all.owner.id) },
    userId: all.owner.id,
    role: 'owner',
    scopes: new Set(['*']),
    address: null,
  };
  return new ApiTenant(services, caller, all);
}

/** What a refusal must look like, whatever it is about. */
export function expectRefusal(answer: Response, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
  expect(answer.body.success).toBe(false);
  expect(answer.body.error.message).toEqual(expect.any(String));
  expect(answer.body.error.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.body.error.documentation_url).toMatch(new RegExp(`/docs/errors/${code}$`));
  expect(answer.body.meta).toMatchObject({ request_id: answer.headers['x-request-id'] });
}
