import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { ClientSettings, NewClient } from '../domain/contracts/client.ts';
import type { ClientView } from '../domain/contracts/client.ts';
import { ApiError } from '../domain/contracts/errors.ts';
import { INVITATION_DAYS } from '../domain/contracts/users.ts';
import { entities } from '../domain/entities.ts';
import { inviteFirstOwner } from '../domain/people/index.ts';
import { ensureClient, listClients, setClient } from '../domain/tenancy/index.ts';
import { grantTrial } from '../domain/vision/index.ts';
import { ConfigError, loadConfig, publicUrlOf } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { createLogger } from '../platform/log.ts';

/** What the operator typed can't be done; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface CommandDeps {
  system: SystemDatabase;
  tenants: TenantDatabase;
  /** How people reach the API: where invitations lead. */
  publicUrl: string;
  now: number;
}

const USAGE = `Clients of this platform:

  create --slug acme --name 'Acme Pumps' --owner-email thandi@acme.example [--owner-name 'Thandi Nkosi']
         [--tier free|business|professional|enterprise] [--finance-tier none|basic|standard|full]
         [--country ZA] [--currency ZAR] [--timezone Africa/Johannesburg]
         makes a client and invites its owner; again for the same slug: invites an owner who has not accepted
  list   all clients
  set acme [--tier …] [--finance-tier …] [--production-api on|off]
         [--document-ai-requests-per-minute N|tier] [--document-ai-jobs N|tier]`;

const text = { type: 'string' } as const;
const CREATE_OPTIONS = {
  slug: text,
  name: text,
  'owner-email': text,
  'owner-name': text,
  tier: text,
  'finance-tier': text,
  country: text,
  currency: text,
  timezone: text,
};
const SET_OPTIONS = {
  tier: text,
  'finance-tier': text,
  'production-api': text,
  'document-ai-requests-per-minute': text,
  'document-ai-jobs': text,
};

/** Runs one command and answers what is to be printed; a {@link CommandError} says what was wrong with it. */
export async function manageClient([command, ...args]: readonly string[], deps: CommandDeps): Promise<string> {
  if (command === 'create') return create(args, deps);
  if (command === 'list') return list(args, deps);
  if (command === 'set') return set(args, deps);
  if (command === undefined || command === 'help' || command === '--help') return USAGE;
  throw new CommandError(`There is no command ${command}.\n\n${USAGE}`);
}

async function create(args: string[], { system, tenants, publicUrl, now }: CommandDeps): Promise<string> {
  const { values } = read(() => parseArgs({ args, options: CREATE_OPTIONS }));
  const { owner_email: email, owner_name: name, ...wanted } = checked(NewClient, underscored(values));
  const { client, isNew, url } = await system.transaction(async (tx) => {
    const made = await ensureClient(tx, wanted);
    return { ...made, url: await inviteFirstOwner(tx, made, { email, name }, { publicUrl, now }) };
  });
  // A client has its trial before its first use in any case; so it also stands in the ledger, whenever it is asked for.
  await tenants.transaction(client.id, grantTrial);
  const lines = [
    isNew ? describe(client) : `Exists already, and stays as it is (set changes it):\n${describe(client)}`,
  ];
  if (url === undefined) lines.push(`${email} has accepted the invitation already.`);
  else lines.push(`Invitation of ${email}, for ${String(INVITATION_DAYS)} days and once:\n${url}`);
  return lines.join('\n');
}

async function list(args: string[], { system }: CommandDeps): Promise<string> {
  read(() => parseArgs({ args, options: {} }));
  const clients = await system.transaction(listClients);
  return clients.length === 0 ? 'There is no client yet.' : clients.map(describe).join('\n');
}

async function set(args: string[], { system }: CommandDeps): Promise<string> {
  const { values, positionals } = read(() => parseArgs({ args, options: SET_OPTIONS, allowPositionals: true }));
  const [slug, ...more] = positionals;
  if (slug === undefined || more.length > 0) throw new CommandError(`set takes the slug of one client.\n\n${USAGE}`);
  const { 'production-api': production, 'document-ai-jobs': jobs, ...others } = values;
  const { 'document-ai-requests-per-minute': requests, ...tiers } = others;
  const settings = checked(ClientSettings, {
    ...underscored(tiers),
    ...(production === undefined ? {} : { production_api_enabled: onOff(production) }),
    ...(requests === undefined ? {} : { document_ai_requests_per_minute: limitOf(requests) }),
    ...(jobs === undefined ? {} : { document_ai_concurrent_jobs: limitOf(jobs) }),
  });
  if (Object.keys(settings).length === 0) throw new CommandError(`Nothing to set.\n\n${USAGE}`);
  const client = await system.transaction((tx) => setClient(tx, slug, settings));
  if (client === undefined) throw new CommandError(`There is no client ${slug}; list shows all.`);
  return `${describe(client)}\nIn force within a second.`;
}

function read<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
}

function underscored(values: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replaceAll('-', '_'), value]));
}

function onOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new CommandError('--production-api is on or off.');
}

/** A number; `tier`: none of its own. */
function limitOf(value: string): number | null {
  return value === 'tier' ? null : Number(value);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `--${path.join('.').replaceAll('_', '-')}: ${message}`);
  throw new CommandError(lines.join('\n'));
}

function describe(client: ClientView): string {
  const { slug, id, name, tier, finance_tier, production_api_enabled, country, currency, timezone } = client;
  const production = production_api_enabled ? 'production API on' : 'production API off';
  const { document_ai_requests_per_minute: requests, document_ai_concurrent_jobs: jobs } = client;
  const documents = `Document AI ${String(requests)} per minute, ${String(jobs)} jobs`;
  const settings = [`tier ${tier}`, `finance ${finance_tier}`, production, documents, country, currency, timezone];
  return `${slug} (${String(id)}): ${name} – ${settings.join(', ')}`;
}

async function main(config: Config): Promise<void> {
  const database = { poolSize: 1, applicationName: 'manage-client', entities, log: createLogger('client', 'warn') };
  const system = new SystemDatabase({ ...database, url: config.DATABASE_SYSTEM_URL });
  const tenants = new TenantDatabase({ ...database, url: config.DATABASE_APP_URL });
  try {
    const deps = { system, tenants, publicUrl: publicUrlOf(config), now: Date.now() };
    process.stdout.write(`${await manageClient(process.argv.slice(2), deps)}\n`);
  } finally {
    await Promise.all([system.close(), tenants.close()]);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(loadConfig());
  } catch (error) {
    // What the operator can mend needs no stack.
    const isKnown = error instanceof CommandError || error instanceof ApiError || error instanceof ConfigError;
    process.stderr.write(`${isKnown ? error.message : String((error as Error).stack)}\n`);
    process.exitCode = 1;
  }
}
