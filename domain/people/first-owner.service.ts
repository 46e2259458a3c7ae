import { audit } from '../audit/index.ts';
import { sendInvitation } from '../auth/index.ts';
import type { ClientView } from '../contracts/client.ts';
import { ApiError } from '../contracts/errors.ts';
import { OPERATOR } from '../tenancy/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { AccountDeps } from './change-users.service.ts';

interface Owner extends Record<string, unknown> {
  id: number;
  client_id: number;
  name: string;
  role: string;
  has_password: boolean;
}

const COLUMNS = 'id, client_id, name, role, password_hash is not null as has_password';
const FIND = statement(`select ${COLUMNS} from users where lower(email) = lower($1) for update`);
const INSERT = statement(`
  insert into users (client_id, email, name, role) values ($1, $2, $3, 'owner')
  on conflict (lower(email)) do nothing returning ${COLUMNS}`);

/**
 * The owner with whom a client begins, and the address of the invitation; undefined for one who has accepted already. Of a
 * client that is there, only an owner who hasn't is invited again: its people add all others.
 */
export async function inviteFirstOwner(
  tx: Transaction,
  { client, isNew }: { client: ClientView; isNew: boolean },
  { email, name }: { email: string; name: string | undefined },
  deps: AccountDeps,
): Promise<string | undefined> {
  const [there] = await tx.query<Owner>(FIND, [email]);
  if (there !== undefined && there.client_id !== client.id) throw taken(email);
  if (there === undefined && !isNew) {
    throw new ApiError('CONFLICT', `The client ${client.slug} exists already, and ${email} is none of its users.`);
  }
  const owner = there ?? (await insertOwner(tx, client.id, { email, name: name ?? email.replace(/@.*/, '') }));
  if (owner.role !== 'owner')
    throw new ApiError('CONFLICT', `${email} is no owner of ${client.slug}, but ${owner.role}.`);
  if (owner.has_password) return undefined;
  const receiver = { clientId: client.id, userId: owner.id, email, name: owner.name };
  const { url } = await sendInvitation(tx, receiver, { clientName: client.name, inviterName: null }, deps);
  note(tx, owner, there === undefined ? 'created' : 'invited');
  return url;
}

async function insertOwner(
  tx: Transaction,
  clientId: number,
  { email, name }: { email: string; name: string },
): Promise<Owner> {
  const [row] = await tx.query<Owner>(INSERT, [clientId, email, name]);
  if (row === undefined) throw taken(email);
  return row;
}

function taken(email: string): ApiError {
  return new ApiError('CONFLICT', `${email} is a user of another client; each e-mail address signs in to one.`);
}

function note(tx: Transaction, { id, client_id: clientId }: Owner, what: string): void {
  const details = { role: 'owner' };
  audit(tx, { clientId, ...OPERATOR }, { action: `user.${what}`, subjectType: 'user', subjectId: String(id), details });
}
