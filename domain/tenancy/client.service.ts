import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { canViewAllUsers } from '../contracts/caller.ts';
import type { ClientView, UpdateClientInput } from '../contracts/client.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './client.view.ts';
import type { ClientRow } from './client.view.ts';

/** What a client's own people may set; the rest is agreed with whoever runs the platform. */
const FIELDS = [
  'name',
  'legal_name',
  'address',
  'tax_number',
  'registration_number',
  'phone',
  'email',
  'website',
  'bank_details',
  'country',
  'currency',
  'timezone',
  'document_ai_retention_days',
] as const;

const GET = statement(`select ${COLUMNS} from clients where id = $1`);
const LOCK = statement(`select ${COLUMNS} from clients where id = $1 for no key update`);
const UPDATE = statement(`
  update clients set (${FIELDS.join(', ')}) = (${FIELDS.map((_, index) => `$${String(index + 2)}`).join(', ')}), updated_at = now() where id = $1
  returning ${COLUMNS}`);
const KNOWN_ZONE = statement(`select 1 from pg_timezone_names where lower(name) = lower($1)`);

/** The caller's client. */
export async function getClient(tx: TenantTransaction): Promise<ClientView> {
  return viewOf(found(await tx.query<ClientRow>(GET, [tx.clientId]), tx));
}

/** Changes the given settings of the caller's client. */
export async function updateClient(
  tx: TenantTransaction,
  caller: Caller,
  input: UpdateClientInput,
): Promise<{ client: ClientView; isChanged: boolean }> {
  if (!canViewAllUsers(caller)) throw new ApiError('FORBIDDEN', 'The client is managed by owners and admins.');
  if (Object.values(input).every((value) => value === undefined)) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  const before = found(await tx.query<ClientRow>(LOCK, [tx.clientId]), tx);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const after: ClientRow = { ...before, ...given };
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return { client: viewOf(before), isChanged: false };
  if (changed.includes('timezone')) await checkTimezone(tx, after.timezone);
  const rows = await tx.query<ClientRow>(UPDATE, [tx.clientId, ...FIELDS.map((field) => after[field])]);
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
  const subject = { subjectType: 'client', subjectId: String(tx.clientId) };
  audit(tx, caller, { action: 'client.updated', ...subject, details: { changes } });
  return { client: viewOf(found(rows, tx)), isChanged: true };
}

/** The database has a list of its own, and computes in the client's zone too. */
async function checkTimezone(tx: TenantTransaction, timezone: string): Promise<void> {
  if ((await tx.query(KNOWN_ZONE, [timezone])).length > 0) return;
  throw ApiError.invalid('timezone', 'must be an IANA time zone such as Africa/Johannesburg');
}

function found([row]: readonly ClientRow[], tx: TenantTransaction): ClientRow {
  if (row === undefined) throw new Error(`there is no client ${String(tx.clientId)}`);
  return row;
}
