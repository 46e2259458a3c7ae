import { audit } from '../audit/index.ts';
import type { ClientSettings, ClientView, NewClient } from '../contracts/client.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './client.view.ts';
import type { ClientRow } from './client.view.ts';

/** Whoever runs the platform: in the audit trail there is no more of them to be known. */
export const OPERATOR = { actor: { type: 'system', id: 'operator' }, address: null } as const;

const SETTINGS = [
  'tier',
  'finance_tier',
  'production_api_enabled',
  'document_ai_requests_per_minute',
  'document_ai_concurrent_jobs',
] as const satisfies readonly (keyof ClientSettings)[];

const LIST = statement(`select ${COLUMNS} from clients order by slug`);
const LOCK = statement(`select ${COLUMNS} from clients where slug = $1 for update`);
// Nobody waits for the other: who comes second finds the client that is there.
const INSERT = statement(`
  insert into clients (slug, name, tier, finance_tier, country, currency, timezone)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (slug) do nothing returning ${COLUMNS}`);
const UPDATE = statement(`
  update clients set (${SETTINGS.join(', ')}) = ($2, $3, $4, $5, $6), updated_at = now() where slug = $1
  returning ${COLUMNS}`);

/** Every client, by slug. */
export async function listClients(tx: Transaction): Promise<ClientView[]> {
  return (await tx.query<ClientRow>(LIST)).map(viewOf);
}

/** A new client, or the one that has the slug already, as it is. */
export async function ensureClient(
  tx: Transaction,
  input: Omit<NewClient, 'owner_email' | 'owner_name'>,
): Promise<{ client: ClientView; isNew: boolean }> {
  const { slug, name, tier, finance_tier, country, currency, timezone } = input;
  const [row] = await tx.query<ClientRow>(INSERT, [slug, name, tier, finance_tier, country, currency, timezone]);
  if (row !== undefined) {
    note(tx, row.id, 'created', { slug, tier: row.tier, finance_tier: row.finance_tier });
    return { client: viewOf(row), isNew: true };
  }
  const [there] = await tx.query<ClientRow>(LOCK, [slug]);
  if (there === undefined) throw new Error(`the client ${slug} was neither made nor found`);
  return { client: viewOf(there), isNew: false };
}

/** Changes the given settings of a client; undefined for an unknown slug. */
export async function setClient(
  tx: Transaction,
  slug: string,
  settings: ClientSettings,
): Promise<ClientView | undefined> {
  const [before] = await tx.query<ClientRow>(LOCK, [slug]);
  if (before === undefined) return undefined;
  const after: ClientRow = { ...before, ...definedOf(settings) };
  const changed = SETTINGS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return viewOf(before);
  const [row] = await tx.query<ClientRow>(UPDATE, [slug, ...SETTINGS.map((field) => after[field])]);
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
  note(tx, before.id, 'updated', { changes });
  return row === undefined ? undefined : viewOf(row);
}

function definedOf(settings: ClientSettings): Partial<ClientRow> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function note(tx: Transaction, clientId: number, what: string, details: Record<string, unknown>): void {
  const record = { action: `client.${what}`, subjectType: 'client', subjectId: String(clientId), details };
  audit(tx, { clientId, ...OPERATOR }, record);
}
