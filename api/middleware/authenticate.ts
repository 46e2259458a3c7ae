import type { Request } from 'express';
import type { Authenticator } from '../../domain/auth/index.ts';
import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { API_KEY_PREFIX } from '../../domain/keys/index.ts';
import { addLogContext } from '../../platform/log.ts';
import { addressOf } from '../http/request-context.ts';
import type { AuthMethod } from '../operation.ts';

/** The caller of a request, by the first of `methods` whose credential it carries; UNAUTHORIZED when it carries none. */
export async function authenticate(
  req: Request,
  methods: readonly AuthMethod[],
  authenticator: Authenticator,
): Promise<Caller> {
  const caller = await identify(req, methods, authenticator);
  addLogContext({ client_id: caller.clientId });
  return caller;
}

async function identify(req: Request, methods: readonly AuthMethod[], authenticator: Authenticator): Promise<Caller> {
  const address = addressOf(req);
  const apiKey = req.headers['x-api-key'] as string | undefined;
  if (methods.includes('api_key') && apiKey !== undefined) return authenticator.byApiKey(apiKey, address);
  const bearer = bearerToken(req);
  const oauth = methods.includes('oauth');
  if (bearer !== undefined && oauth && (isOAuthToken(bearer) || methods.length === 1)) {
    return authenticator.byOAuthToken(bearer, req.app.get('public url') as string, address);
  }
  if (bearer !== undefined && methods.includes('bearer_key') && (isApiKey(bearer) || !methods.includes('jwt'))) {
    return authenticator.byApiKey(bearer, address);
  }
  if (bearer !== undefined && methods.includes('jwt')) return authenticator.byAccessToken(bearer, address);
  throw new ApiError(
    'UNAUTHORIZED',
    `Authentication is missing: send ${methods.map((method) => HOW[method]).join(' or ')}.`,
  );
}

const HOW: Readonly<Record<AuthMethod, string>> = {
  jwt: 'a bearer token in the header Authorization',
  api_key: 'an API key in the header X-API-Key',
  bearer_key: 'an API key as bearer token in the header Authorization',
  oauth: 'an OAuth access token in the header Authorization',
};

/** Whether the token says of itself that it is one (RFC 9068 §2.1): only picks who is to check it. */
function isOAuthToken(token: string): boolean {
  const header = Buffer.from(token.slice(0, Math.max(0, token.indexOf('.'))), 'base64url').toString('latin1');
  return /"at\+jwt"/i.test(header);
}

/** Whether the token looks like one of our keys: only picks who is to check it. */
function isApiKey(token: string): boolean {
  return token.startsWith(API_KEY_PREFIX);
}

/** The token of `Authorization: Bearer …` (RFC 6750 §2.1); the scheme's case doesn't matter (RFC 9110 §11.1). */
function bearerToken(req: Request): string | undefined {
  const match = /^bearer +([^\s]+) *$/i.exec(req.headers.authorization ?? '');
  return match?.[1];
}
