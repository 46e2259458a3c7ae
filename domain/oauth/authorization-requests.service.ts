import { randomUUID } from 'node:crypto';
import { secretsEqual } from '../../platform/crypto.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { OAuthApplication } from './application.ts';
import type { AuthorizationParameters } from './authorization-requests.rules.ts';

/** How long a user may take to sign in and decide. */
const REQUEST_MS = 10 * 60_000;
const HANDLE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.[\w-]{43}$/;

/** Kept with the parameters: the application is read anew whenever its request is looked at. */
interface KeptParameters extends AuthorizationParameters {
  oauth_client_id: string;
}

export interface AuthorizationRequest {
  /** What forms and addresses carry: it tells nothing, can't be guessed and serves one browser session. */
  handle: string;
  oauthClientId: string;
  parameters: AuthorizationParameters;
}

interface RequestRow extends Record<string, unknown> {
  parameters: KeptParameters;
}

const INSERT = statement(`
  insert into oauth_authorization_requests (id, client_id, application_id, session_hash, parameters, expires_at)
  values ($1, $2, $3, $4, $5, $6)`);
const OPEN = `id = $1 and session_hash = $2 and used_at is null and expires_at > $3`;
const FIND = statement(`select parameters from oauth_authorization_requests where ${OPEN}`);
const TAKE = statement(`update oauth_authorization_requests set used_at = $3 where ${OPEN} returning parameters`);
const REBIND = statement(
  `update oauth_authorization_requests set session_hash = $4 where ${OPEN} returning parameters`,
);

/**
 * Authorization requests that were found right and wait for the user: bound to one browser session, good for ten minutes
 * and one decision (decisions §3).
 */
export class AuthorizationRequests {
  readonly #system: SystemDatabase;
  readonly #vault: Vault;

  constructor(system: SystemDatabase, vault: Vault) {
    this.#system = system;
    this.#vault = vault;
  }

  async keep(
    application: Pick<OAuthApplication, 'id' | 'clientId' | 'oauthClientId'>,
    parameters: AuthorizationParameters,
    session: Buffer,
    now: number,
  ): Promise<string> {
    const id = randomUUID();
    const kept: KeptParameters = { ...parameters, oauth_client_id: application.oauthClientId };
    await this.#system.query(INSERT, [
      id,
      application.clientId,
      application.id,
      session,
      JSON.stringify(kept),
      new Date(now + REQUEST_MS),
    ]);
    return this.#handleOf(id);
  }

  /** The request of a handle; undefined when it is forged, over, decided, or another session's. */
  find(handle: string, session: Buffer, now: number): Promise<AuthorizationRequest | undefined> {
    return this.#use(handle, (id) => this.#system.query<RequestRow>(FIND, [id, session, new Date(now)]));
  }

  /** The same, and nobody gets it again: of several at the same moment one does. */
  take(handle: string, session: Buffer, now: number): Promise<AuthorizationRequest | undefined> {
    return this.#use(handle, (id) => this.#system.query<RequestRow>(TAKE, [id, session, new Date(now)]));
  }

  /** Hands the request over from the session before a login (or logout) to the one after it. */
  rebind(handle: string, from: Buffer, to: Buffer, now: number): Promise<AuthorizationRequest | undefined> {
    return this.#use(handle, (id) => this.#system.query<RequestRow>(REBIND, [id, from, new Date(now), to]));
  }

  async #use(handle: string, read: (id: string) => Promise<RequestRow[]>): Promise<AuthorizationRequest | undefined> {
    const id = handle.slice(0, 36);
    if (!HANDLE.test(handle) || !secretsEqual(handle, this.#handleOf(id))) return undefined;
    const [row] = await read(id);
    if (row === undefined) return undefined;
    const { oauth_client_id, ...parameters } = row.parameters;
    return { handle, oauthClientId: oauth_client_id, parameters };
  }

  #handleOf(id: string): string {
    return `${id}.${this.#vault.mac(id, 'authorization request handle').toString('base64url')}`;
  }
}
