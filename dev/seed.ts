import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Caller } from '../domain/contracts/caller.ts';
import { CreateApiKey } from '../domain/contracts/api-keys.ts';
import { CreateWorkItem } from '../domain/contracts/work-items.ts';
import { entities } from '../domain/entities.ts';
import { API_KEY_VAULT_CONTEXT, createApiKey } from '../domain/keys/index.ts';
import { CLIENT_COLUMNS, clientFactsOf } from '../domain/tenancy/index.ts';
import type { ClientColumns } from '../domain/tenancy/index.ts';
import { book } from '../domain/vision/index.ts';
import { createWorkItem } from '../domain/work-items/index.ts';
import { loadConfig } from '../platform/config.ts';
import { createVault } from '../platform/crypto.ts';
import type { Vault } from '../platform/crypto.ts';
import { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import { createLogger } from '../platform/log.ts';
import { hashPassword } from '../platform/password.ts';
import { ensureDemoWebhook } from './seed-webhook.ts';

const OWNER_EMAIL = 'owner@demo.example';
const MEMBER_EMAIL = 'member@demo.example';
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
  insert into clients (slug, name, tier, finance_tier, production_api_enabled)
  values ('demo', 'Demo Trading (Pty) Ltd', 'enterprise', 'full', true)`);
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
  const apiKey = await demoKey(seeding, caller);
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

async function createTenant({ system, tenants }: Seeding, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await system.transaction(async (tx) => {
    tx.write(INSERT_CLIENT);
    const [client] = await tx.query<ClientColumns & Record<string, unknown>>(FIND_CLIENT);
    if (client === undefined) throw new Error('the demo client was not created');
    const [owner] = await tx.query<{ id: number }>(INSERT_USER, [
      client.c_id,
      OWNER_EMAIL,
      'Thandi Nkosi',
      'Thandi',
      'Nkosi',
      passwordHash,
      'owner',
    ]);
    const [member] = await tx.query<{ id: number }>(INSERT_USER, [
      client.c_id,
      MEMBER_EMAIL,
      'Pieter Botha',
      'Pieter',
      'Botha',
      passwordHash,
      'member',
    ]);
    const employee = async (values: unknown[]): Promise<number> => {
      const [row] = await tx.query<{ id: number }>(INSERT_EMPLOYEE, [client.c_id, ...values]);
      return row?.id ?? 0;
    };
    const head = await employee([
      owner?.id,
      'E-001',
      'Thandi',
      'Nkosi',
      OWNER_EMAIL,
      'Management',
      'Managing director',
      null,
      '2019-02-01',
    ]);
    const lead = await employee([
      member?.id,
      'E-002',
      'Pieter',
      'Botha',
      MEMBER_EMAIL,
      'Field service',
      'Team lead',
      head,
      '2020-06-15',
    ]);
    await employee([
      null,
      'E-003',
      'Zanele',
      'Dlamini',
      'zanele@demo.example',
      'Field service',
      'Technician',
      lead,
      '2022-03-01',
    ]);
    await employee([
      null,
      'E-004',
      'Johan',
      'Smit',
      'johan@demo.example',
      'Field service',
      'Technician',
      lead,
      '2023-09-11',
    ]);
    tx.write(INSERT_CONTACT, [
      client.c_id,
      'customer',
      'Kruger Farms',
      'office@krugerfarms.example',
      '+27 13 555 0101',
      'Nelspruit',
    ]);
    tx.write(INSERT_CONTACT, [
      client.c_id,
      'supplier',
      'Pump Supplies CC',
      'sales@pumpsupplies.example',
      '+27 11 555 0144',
      'Johannesburg',
    ]);
    tx.write(INSERT_CONTACT, [
      client.c_id,
      'both',
      'Harbour Logistics',
      'ops@harbour.example',
      '+27 31 555 0199',
      'Durban',
    ]);
    await book(tx, { clientId: client.c_id, reference: 'demo', step: 'grant', amount: DEMO_CREDITS, bundle: 'Demo' });
  });
  const caller = await ownerOf({ system });
  await tenants.transaction(caller.clientId, async (tx) => {
    for (const item of DEMO_ITEMS) await createWorkItem(tx, caller, CreateWorkItem.parse(item));
  });
}

const DEMO_ITEMS = [
  { item_type: 'project', title: 'Irrigation upgrade, Kruger Farms' },
  { item_type: 'job', title: 'Service the borehole pump', priority: 'high', tags: ['pump'] },
  { item_type: 'task', title: 'Order filter cartridges' },
  { item_type: 'ticket', title: 'Pressure drops at night', priority: 'urgent' },
  { item_type: 'milestone', title: 'Commissioning' },
];

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
