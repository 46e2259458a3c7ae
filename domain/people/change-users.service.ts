import { audit } from '../audit/index.ts';
import { endAccountLinks, endBrowserSessions, sendInvitation } from '../auth/index.ts';
import type { Caller, Role } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { AccountView, CreateUserInput, UpdateUserInput } from '../contracts/users.ts';
import { disableKeysOf } from '../keys/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { refusalToAdd, refusalToOneself, refusalToTouch } from './account-rules.rules.ts';
import { refuseTaken } from './taken.ts';
import { getAccount } from './users.service.ts';

/** What PATCH may set. */
const FIELDS = ['given_name', 'family_name', 'name', 'picture', 'role', 'is_active'] as const;

/** What work on users needs besides the transaction. */
export interface AccountDeps {
  /** How people reach this API. */
  publicUrl: string;
  now: number;
}

interface Party extends Record<string, unknown> {
  id: number;
  name: string;
  role: Role;
  is_active: boolean;
  has_password: boolean;
}

// Both, in one order: of two owners who demote each other at the same moment, the second finds itself demoted.
const LOCK = statement(`
  select id, name, role, is_active, password_hash is not null as has_password
  from users where client_id = $1 and id = any($2::int[]) order by id for update`);
const INSERT = statement(`
  insert into users (client_id, email, name, given_name, family_name, role) values ($1, $2, $3, $4, $5, $6) returning id`);
const UPDATE = statement(`
  update users set (${FIELDS.join(', ')}) = ($3, $4, $5, $6, $7, $8), updated_at = now()
  where client_id = $1 and id = $2`);
/** None of what was signed in comes back with the user. */
const SIGN_OUT = statement(`update users set password_changed_at = $3 where client_id = $1 and id = $2`);

/** Adds a user, who gets an invitation to choose a password. The address of the invitation is returned here once. */
export async function createUser(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateUserInput,
  deps: AccountDeps,
): Promise<{ account: AccountView; invitationUrl: string }> {
  const { actor } = await lockParties(tx, caller);
  forbid(refusalToAdd(actor.role, input.role));
  const { email, given_name, family_name, role, name = `${given_name} ${family_name}` } = input;
  const [row] = await tx
    .query<{ id: number }>(INSERT, [tx.clientId, email, name, given_name, family_name, role])
    // Unique over all clients, because one signs in by it alone; whose it is, is nobody's business.
    .catch(refuseTaken({ users_email_unique: ['email', 'there is a user with this e-mail address already'] }));
  if (row === undefined) throw new Error('insert into users returned no row');
  note(tx, caller, row.id, 'created', { role });
  return invite(tx, caller, { id: row.id, inviterName: actor.name }, deps);
}

/**
 * A new invitation for a user who has not accepted one, or has lost the password. The former ends. The link of somebody
 * who has a password opens what that person has: whoever invites gets it only where no mail can bring it.
 */
export async function inviteUser(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  deps: AccountDeps & { sendsMail: boolean },
): Promise<{ account: AccountView; invitationUrl: string | undefined }> {
  const { actor, user } = await lockParties(tx, caller, id);
  forbid(refusalToTouch(actor, user));
  if (actor.id === user.id) {
    // It would set the own password without asking for the old one, by whoever has got hold of a token.
    throw ApiError.unprocessable(
      'You can’t invite yourself; change your password, or ask for a new one at the sign-in.',
    );
  }
  if (!user.is_active) throw new ApiError('CONFLICT', 'A deactivated user can’t be invited; activate it first.');
  const isAnswered = !user.has_password || !deps.sendsMail;
  note(tx, caller, id, 'invited', { had_password: user.has_password, link_in_answer: isAnswered });
  const { account, invitationUrl } = await invite(tx, caller, { id, inviterName: actor.name }, deps);
  return { account, invitationUrl: isAnswered ? invitationUrl : undefined };
}

/**
 * Changes the given fields of a user. Deactivated, everything that is signed in as the user ends, and its API keys are
 * turned off: they stay off when it is activated again, until somebody turns them on.
 */
export async function updateUser(
  tx: TenantTransaction,
  caller: Caller,
  { id, input }: { id: number; input: UpdateUserInput },
  now: number,
): Promise<{ account: AccountView; hasNewRights: boolean }> {
  if (Object.values(input).every((value) => value === undefined)) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  const { actor, user } = await lockParties(tx, caller, id);
  forbid(refusalToTouch(actor, user));
  if (input.role !== undefined) forbid(input.role === user.role ? undefined : refusalToAdd(actor.role, input.role));
  const own = refusalToOneself(actor, user, input);
  if (own !== undefined) throw ApiError.unprocessable(own);
  const before = await getAccount(tx, id);
  const after = fieldsAfter(before, input);
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return { account: before, hasNewRights: false };
  tx.write(UPDATE, [tx.clientId, id, ...FIELDS.map((field) => after[field])]);
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
  note(tx, caller, id, 'updated', { changes });
  if (before.is_active && !after.is_active) await signOut(tx, caller, id, now);
  return { account: await getAccount(tx, id), hasNewRights: changed.includes('role') || changed.includes('is_active') };
}

/** Who acts, and upon whom, both held until the commit: what they may do is decided by what they are now. */
async function lockParties(tx: TenantTransaction, caller: Caller): Promise<{ actor: Party }>;
async function lockParties(tx: TenantTransaction, caller: Caller, id: number): Promise<{ actor: Party; user: Party }>;
async function lockParties(
  tx: TenantTransaction,
  caller: Caller,
  id?: number,
): Promise<{ actor: Party; user: Party | undefined }> {
  const rows = await tx.query<Party>(LOCK, [tx.clientId, [caller.userId, ...(id === undefined ? [] : [id])]]);
  const actor = rows.find((row) => row.id === caller.userId && row.is_active);
  if (actor === undefined) throw new ApiError('FORBIDDEN', 'You are no longer an active user.');
  forbid(refusalToAdd(actor.role, 'member'));
  const user = rows.find((row) => row.id === id);
  if (id !== undefined && user === undefined) throw ApiError.notFound('user', id);
  return { actor, user };
}

async function invite(
  tx: TenantTransaction,
  caller: Caller,
  { id, inviterName }: { id: number; inviterName: string },
  deps: AccountDeps,
): Promise<{ account: AccountView; invitationUrl: string }> {
  const account = await getAccount(tx, id);
  const receiver = { clientId: tx.clientId, userId: id, email: account.email, name: account.name };
  const from = { clientName: caller.client.name, inviterName };
  const { url, expiresAt } = await sendInvitation(tx, receiver, from, deps);
  return { account: { ...account, invitation_expires_at: expiresAt.toISOString() }, invitationUrl: url };
}

async function signOut(tx: TenantTransaction, caller: Caller, id: number, now: number): Promise<void> {
  tx.write(SIGN_OUT, [tx.clientId, id, new Date(now)]);
  endBrowserSessions(tx, id);
  endAccountLinks(tx, { clientId: tx.clientId, userId: id }, { now });
  await disableKeysOf(tx, caller, id, now);
}

/** The full name follows the two others, unless it is one of its own. */
function fieldsAfter(before: AccountView, input: UpdateUserInput): Pick<AccountView, (typeof FIELDS)[number]> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given };
  const isMadeOfBoth = before.name === fullName(before);
  return input.name === undefined && isMadeOfBoth ? { ...after, name: fullName(after) } : after;
}

function fullName({ name, given_name, family_name }: Pick<AccountView, 'name' | 'given_name' | 'family_name'>): string {
  return given_name === null || family_name === null ? name : `${given_name} ${family_name}`;
}

function forbid(refusal: string | undefined): void {
  if (refusal !== undefined) throw new ApiError('FORBIDDEN', refusal);
}

function note(tx: TenantTransaction, caller: Caller, id: number, what: string, details: Record<string, unknown>): void {
  audit(tx, caller, { action: `user.${what}`, subjectType: 'user', subjectId: String(id), details });
}
