import { countTry } from '../auth/index.ts';
import { ApiError } from '../contracts/errors.ts';
import { isWellFormedToken, sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { timingSafeEqual } from 'node:crypto';
import { OAUTH_CLIENT_ID_PREFIX } from './application.ts';
import type { OAuthApplication } from './application.ts';
import { OAuthError } from './oauth-error.ts';

/** Failed authentications of one application from one address within 15 minutes; more are answered 429. */
const MAX_FAILURES = 20;

export interface ApplicationCredentials {
  oauthClientId: string;
  /** Undefined when none was sent: a public client has none. */
  secret: string | undefined;
  address: string | null;
}

export interface ApplicationAuthDeps {
  system: SystemDatabase;
  applications: { find(oauthClientId: string): Promise<OAuthApplication | undefined> };
}

/**
 * The application that the credentials belong to; invalid_client for any that don't, with one and the same text. Only
 * failures cost a write, and only failures are limited: with 256-bit secrets there is nothing to guess, and an address
 * shared with an attacker must not lock an honest application out.
 */
export async function authenticateApplication(
  deps: ApplicationAuthDeps,
  credentials: ApplicationCredentials,
): Promise<OAuthApplication> {
  const { oauthClientId, secret } = credentials;
  const known = isWellFormedToken(oauthClientId, OAUTH_CLIENT_ID_PREFIX)
    ? await deps.applications.find(oauthClientId)
    : undefined;
  if (known !== undefined && secretFits(known, secret)) return known;
  await countFailure(deps.system, known?.oauthClientId ?? 'unknown', credentials.address);
  throw new OAuthError('invalid_client', 'Client authentication failed.');
}

function secretFits({ clientType, secretHash }: OAuthApplication, secret: string | undefined): boolean {
  if (clientType === 'public') return secret === undefined;
  return secret !== undefined && secretHash !== null && timingSafeEqual(sha256(secret), secretHash);
}

async function countFailure(system: SystemDatabase, application: string, address: string | null): Promise<void> {
  try {
    await countTry(system, [`oauth-application:${application}:${address ?? ''}`], MAX_FAILURES);
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
    const { retryAfterSeconds } = error;
    throw new OAuthError('invalid_client', 'Too many failed client authentications; wait before the next try.', {
      retryAfterSeconds,
      cause: error,
    });
  }
}
