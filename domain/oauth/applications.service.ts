import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type {
  CreateOAuthApplicationInput,
  OAuthApplicationView,
  UpdateOAuthApplicationInput,
} from '../contracts/oauth.ts';
import { createToken, sha256 } from '../../platform/crypto.ts';
import type { Vault } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkSettings } from './application-rules.ts';
import { OAUTH_CLIENT_ID_PREFIX } from './application.ts';
import type { ClientType, GrantType } from './application.ts';

const SECRET_PREFIX = 'svc_os_';
/** What binds a sealed secret to its place (see `Vault`). */
export const APPLICATION_VAULT_CONTEXT = 'oauth_applications.secret';
/** Applications of one client that are not deleted. */
const MAX_APPLICATIONS = 100;

interface ApplicationRow extends Record<string, unknown> {
  id: number;
  oauth_client_id: string;
  name: string;
  client_type: ClientType;
  redirect_uris: string[];
  scopes: string[];
  grant_types: GrantType[];
  default_scopes: string[];
  logo_url: string | null;
  is_active: boolean;
  created_by_user_id: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, oauth_client_id, name, client_type, redirect_uris, scopes, grant_types, default_scopes, logo_url,
  is_active, created_by_user_id, created_at, updated_at`;
const COUNT = statement(`select count(*) as total from oauth_applications where client_id = $1 and deleted_at is null`);
const LIST = statement(`
  select ${COLUMNS} from oauth_applications where client_id = $1 and deleted_at is null order by id desc`);
const GET = statement(`
  select ${COLUMNS} from oauth_applications where client_id = $1 and id = $2 and deleted_at is null`);
const LOCK = statement(`
  select ${COLUMNS} from oauth_applications where client_id = $1 and id = $2 and deleted_at is null for update`);
const INSERT = statement(`
  insert into oauth_applications (client_id, oauth_client_id, name, client_type, redirect_uris, scopes, grant_types,
    default_scopes, logo_url, secret_hash, secret_ciphertext, master_key_id, created_by_user_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${COLUMNS}`);
const UPDATE = statement(`
  update oauth_applications set name = $3, redirect_uris = $4, scopes = $5, grant_types = $6, default_scopes = $7,
    logo_url = $8, is_active = $9, vouched_for_by_user_id = $10, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const ROTATE = statement(`
  update oauth_applications set secret_hash = $3, secret_ciphertext = $4, master_key_id = $5, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const DELETE = statement(`
  update oauth_applications set deleted_at = now(), is_active = false, updated_at = now()
  where client_id = $1 and id = $2 and deleted_at is null returning ${COLUMNS}`);

/** Registers an application. Its secret is returned here, by a rotation, and nowhere else. */
export async function createApplication(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateOAuthApplicationInput,
  vault: Vault,
): Promise<OAuthApplicationView & { client_secret: string | null }> {
  checkManager(caller);
  checkSettings(caller, input);
  const [count] = await tx.query<{ total: number }>(COUNT, [tx.clientId]);
  if ((count?.total ?? 0) >= MAX_APPLICATIONS) {
    throw ApiError.unprocessable(`A client has at most ${String(MAX_APPLICATIONS)} OAuth applications.`);
  }
  const secret = input.client_type === 'public' ? undefined : newSecret(vault);
  const [row] = await tx.query<ApplicationRow>(INSERT, [
    tx.clientId,
    createToken(OAUTH_CLIENT_ID_PREFIX),
    input.name,
    input.client_type,
    input.redirect_uris,
    unique(input.scopes),
    unique(input.grant_types),
    unique(input.default_scopes),
    input.logo_url ?? null,
    secret?.hash ?? null,
    secret?.sealed ?? null,
    secret?.keyId ?? null,
    caller.userId,
  ]);
  if (row === undefined) throw new Error('insert into oauth_applications returned no row');
  note(tx, caller, row, 'created', { name: row.name, scopes: row.scopes, grant_types: row.grant_types });
  return { ...viewOf(row), client_secret: secret?.plain ?? null };
}

/** The applications of the client, newest first. */
export async function listApplications(tx: TenantTransaction, caller: Caller): Promise<OAuthApplicationView[]> {
  checkManager(caller);
  return (await tx.query<ApplicationRow>(LIST, [tx.clientId])).map(viewOf);
}

export async function getApplication(tx: TenantTransaction, caller: Caller, id: number): Promise<OAuthApplicationView> {
  checkManager(caller);
  return viewOf(found(await tx.query<ApplicationRow>(GET, [tx.clientId, id]), id));
}

/** Changes what is given; the whole must still be right. */
export async function updateApplication(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  input: UpdateOAuthApplicationInput,
): Promise<OAuthApplicationView> {
  checkManager(caller);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) throw new ApiError('BAD_REQUEST', 'At least one field is needed.');
  const before = found(await tx.query<ApplicationRow>(LOCK, [tx.clientId, id]), id);
  const after: ApplicationRow = { ...before, ...given };
  checkSettings(caller, after);
  const [row] = await tx.query<ApplicationRow>(UPDATE, [
    tx.clientId,
    id,
    after.name,
    after.redirect_uris,
    unique(after.scopes),
    unique(after.grant_types),
    unique(after.default_scopes),
    after.logo_url,
    after.is_active,
    // The whole was held against this user's role just now.
    caller.userId,
  ]);
  note(tx, caller, after, 'updated', given);
  return viewOf(row ?? after);
}

/** A new secret; the old one stops at once. Tokens that were issued live on. */
export async function rotateSecret(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  vault: Vault,
): Promise<OAuthApplicationView & { client_secret: string }> {
  checkManager(caller);
  const before = found(await tx.query<ApplicationRow>(LOCK, [tx.clientId, id]), id);
  if (before.client_type === 'public') throw ApiError.unprocessable('A public client has no secret.');
  const secret = newSecret(vault);
  const [row] = await tx.query<ApplicationRow>(ROTATE, [tx.clientId, id, secret.hash, secret.sealed, secret.keyId]);
  note(tx, caller, before, 'secret_rotated', {});
  return { ...viewOf(row ?? before), client_secret: secret.plain };
}

/** Ends an application with everything that was issued to it. */
export async function deleteApplication(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
): Promise<OAuthApplicationView> {
  checkManager(caller);
  const row = found(await tx.query<ApplicationRow>(DELETE, [tx.clientId, id]), id);
  note(tx, caller, row, 'deleted', { name: row.name });
  return viewOf(row);
}

function checkManager({ role }: Caller): void {
  if (role === 'owner' || role === 'admin') return;
  throw new ApiError('FORBIDDEN', 'OAuth applications are managed by owners and admins.');
}

function found(rows: readonly ApplicationRow[], id: number): ApplicationRow {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('OAuth application', id);
  return row;
}

function newSecret(vault: Vault): { plain: string; hash: Buffer; sealed: Buffer; keyId: string } {
  const plain = createToken(SECRET_PREFIX);
  return { plain, hash: sha256(plain), sealed: vault.seal(plain, APPLICATION_VAULT_CONTEXT), keyId: vault.keyId };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function note(
  tx: TenantTransaction,
  caller: Caller,
  { id }: ApplicationRow,
  what: string,
  details: Record<string, unknown>,
): void {
  const action = `oauth_application.${what}`;
  audit(tx, caller, { action, subjectType: 'oauth_application', subjectId: String(id), details });
}

function viewOf(row: ApplicationRow): OAuthApplicationView {
  return {
    id: row.id,
    client_id: row.oauth_client_id,
    name: row.name,
    client_type: row.client_type,
    redirect_uris: row.redirect_uris,
    scopes: row.scopes,
    grant_types: row.grant_types,
    default_scopes: row.default_scopes,
    logo_url: row.logo_url,
    is_active: row.is_active,
    created_by_user_id: row.created_by_user_id,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
