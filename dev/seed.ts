import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Caller } from '../domain/contracts/caller.ts';
import { CreateApiKey } from '../domain/contracts/api-keys.ts';
import { CreateWorkItem, ListWorkItems } from '../domain/contracts/work-items.ts';
import { entities } from '../domain/entities.ts';
import { API_KEY_VAULT_CONTEXT, createApiKey } from '../domain/keys/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../domain/tenancy/index.ts';
import type { ClientColumns } from '../domain/tenancy/index.ts';
import { book } from '../domain/vision/index.ts';
import { createWorkItem, listWorkItems } from '../domain/work-items/index.ts';
import { loadConfig } from '../platform/config.ts';
import { createVault } from '../platform/crypto.ts';
import type { Vault } from '../platform/crypto.ts';
import { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import { createLogger } from '../platform/log.ts';
import { hashPassword } from '../platform/password.ts';
import {
  DEMO_CONTACTS,
  DEMO_EMPLOYEES,
  DEMO_ITEMS,
  DEMO_SELLER,
  DEMO_USERS,
  MEMBER_EMAIL,
  OWNER_EMAIL,
} from './seed-data.ts';
import { ensureDemoApplication } from './seed-application.ts';
import { ensureDemoRecords } from './seed-records.ts';
import { ensureDemoWebhook } from './seed-webhook.ts';

const DEMO_CREDITS = 10_000;

/** What the tour needs; printed as one JSON line for `npm start`. */
export interface DemoAccess {
  email: string;
  password: string;
  member_email: string;
  api_key: string;
}

interface Seeding {
  system: SystemDatabase;
  tenants: TenantDatabase;
  vault: Vault;
  varDir: string;
}

const FIND_CLIENT = statement(`select ${CLIENT_COLUMNS} from clients c where slug = 'demo'`);
const INSERT_CLIENT = statement(`
  insert into clients (slug, name, tier, finance_tier, production_api_enabled, address, tax_number, registration_number, phone, email,
    website, bank_details)
  values ('demo', 'Demo Trading (Pty) Ltd', 'enterprise', 'full', true, $1, $2, $3, $4, $5, $6, $7)`);
const INSERT_USER = statement(`
  insert into users (client_id, email, name, given_name, family_name, email_verified, password_hash, role)
  values ($1, $2, $3, $4, $5, true, $6, $7) returning id`);
const SET_PASSWORD = statement(`update users set password_hash = $2 where lower(email) = any($1::text[])`);
const FIND_OWNER = statement(`select id from users where lower(email) = $1`);
const FIND_KEY = statement(`select key_ciphertext from api_keys where client_id = $1 and key_name = 'Demo tour'`);
const INSERT_EMPLOYEE = statement(`
  insert into employees (client_id, user_id, employee_number, first_name, last_name, email, department, job_title, manager_id, hired_on)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`);
const INSERT_CONTACT = statement(`
  insert into contacts (client_id, contact_type, name, email, phone, city, country) values ($1, $2, $3, $4, $5, $6, 'ZA')`);

/** Makes the demo tenant, or finds the one that an earlier start made, and answers how to enter it. */
export async function seedDemo(seeding: Seeding, receiverUrl: string | undefined): Promise<DemoAccess> {
  const password = await demoPassword(seeding);
  const existing = await seeding.system.query(FIND_CLIENT);
  if (existing.length === 0) await createTenant(seeding, password.plain);
  else if (password.isNew)
    await seeding.system.query(SET_PASSWORD, [[OWNER_EMAIL, MEMBER_EMAIL], await hashPassword(password.plain)]);
  const caller = await ownerOf(seeding);
  await ensureWorkItems(seeding, caller);
  await seeding.tenants.transaction(caller.clientId, (tx) => ensureDemoRecords(tx, caller));
  const apiKey = await demoKey(seeding, caller);
  await ensureDemoApplication({ ...seeding, caller });
  if (receiverUrl !== undefined) {
    await ensureDemoWebhook({ ...seeding, caller, receiverUrl, apiKey });
  }
  return { email: OWNER_EMAIL, password: password.plain, member_email: MEMBER_EMAIL, api_key: apiKey };
}

/** The demo password is made at the first start and kept beside the other secrets. */
async function demoPassword({ varDir }: Seeding): Promise<{ plain: string; isNew: boolean }> {
  const file = join(varDir, 'secrets', 'demo-password');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return { plain: kept.trim(), isNew: false };
  const plain = randomBytes(12).toString('base64url');
  await mkdir(join(varDir, 'secrets'), { recursive: true, mode: 0o700 });
  await writeFile(file, `${plain}\n`, { mode: 0o600 });
  return { plain, isNew: true };
}

async function createTenant({ system }: Seeding, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await system.transaction(async (tx) => {
    tx.write(INSERT_CLIENT, DEMO_SELLER);
    const [client] = await tx.query<ClientColumns & Record<string, unknown>>(FIND_CLIENT);
    if (client === undefined) throw new Error('the demo client was not created');
    const clientId = client.c_id;
    const userIds = new Map<string, number>();
    for (const { email, given_name, family_name, role } of DEMO_USERS) {
      const values = [clientId, email, `${given_name} ${family_name}`, given_name, family_name, passwordHash, role];
      const [user] = await tx.query<{ id: number }>(INSERT_USER, values);
      if (user !== undefined) userIds.set(email, user.id);
    }
    await insertEmployees(tx, clientId, userIds);
    for (const { type, name, email, phone, city } of DEMO_CONTACTS) {
      tx.write(INSERT_CONTACT, [clientId, type, name, email, phone, city]);
    }
    await book(tx, { clientId, reference: 'demo', step: 'grant', amount: DEMO_CREDITS, bundle: 'Demo' });
  });
}

async function insertEmployees(tx: Transaction, clientId: number, userIds: ReadonlyMap<string, number>): Promise<void> {
  const ids = new Map<string, number>();
  for (const { number, first, last, email, department, title, manager, hired } of DEMO_EMPLOYEES) {
    const managerId = manager === null ? null : ids.get(manager);
    const values = [clientId, userIds.get(email), number, first, last, email, department, title, managerId, hired];
    const [employee] = await tx.query<{ id: number }>(INSERT_EMPLOYEE, values);
    if (employee !== undefined) ids.set(number, employee.id);
  }
}

/** Work items go through the service, so that they have their numbers, events and audit entries. */
async function ensureWorkItems({ tenants }: Seeding, caller: Caller): Promise<void> {
  await tenants.transaction(caller.clientId, async (tx) => {
    const { pagination } = await listWorkItems(tx, ListWorkItems.parse({ limit: 1 }));
    if (pagination.total > 0) return;
    for (const item of DEMO_ITEMS) await createWorkItem(tx, caller, CreateWorkItem.parse(item));
  });
}

async function ownerOf({ system }: Pick<Seeding, 'system'>): Promise<Caller> {
  const [client] = await system.query<ClientColumns & Record<string, unknown>>(FIND_CLIENT);
  const [owner] = await system.query<{ id: number }>(FIND_OWNER, [OWNER_EMAIL]);
  if (client === undefined || owner === undefined)
    throw new Error('the demo tenant is not whole; remove the client `demo` and start again');
  return {
    clientId: client.c_id,
    client: clientFactsOf(client),
    actor: { type: 'user', id: String(owner.id) },
    userId: owner.id,
    role: 'owner',
    scopes: new Set(['*']),
    address: null,
  };
}

async function demoKey({ system, tenants, vault }: Seeding, caller: Caller): Promise<string> {
  const [kept] = await system.query<{ key_ciphertext: Buffer }>(FIND_KEY, [caller.clientId]);
  if (kept !== undefined) return vault.open(kept.key_ciphertext, API_KEY_VAULT_CONTEXT);
  const input = CreateApiKey.parse({ key_name: 'Demo tour', permissions: { '*': true }, rate_limit_per_minute: 5000 });
  const { apiKey } = await tenants.transaction(caller.clientId, (tx) =>
    createApiKey(tx, caller, input, { vault, now: Date.now() }),
  );
  return apiKey;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const config = loadConfig();
  const database = { poolSize: 2, applicationName: 'seed', entities, log: createLogger('seed', 'warn') };
  const system = new SystemDatabase({ ...database, url: config.DATABASE_SYSTEM_URL });
  const tenants = new TenantDatabase({ ...database, url: config.DATABASE_APP_URL });
  const varDir = process.env['VAR_DIR'] ?? 'var';
  const access = await seedDemo(
    { system, tenants, vault: createVault(config.MASTER_KEY), varDir },
    process.env['DEMO_RECEIVER_URL'],
  );
  process.stdout.write(`${JSON.stringify(access)}\n`);
  await Promise.all([system.close(), tenants.close()]);
}
