import type { Request } from 'express';
import type { Authenticator } from '../../domain/auth/index.ts';
import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { addLogContext } from '../../platform/log.ts';
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
  const address = req.ip ?? null;
  const apiKey = req.get('x-api-key');
  if (methods.includes('api_key') && apiKey !== undefined) return authenticator.byApiKey(apiKey, address);
  const bearer = bearerToken(req);
  if (bearer !== undefined && methods.includes('bearer_key')) return authenticator.byApiKey(bearer, address);
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
};

/** The token of `Authorization: Bearer …` (RFC 6750 §2.1); the scheme's case doesn't matter (RFC 9110 §11.1). */
function bearerToken(req: Request): string | undefined {
  const match = /^bearer +([^\s]+) *$/i.exec(req.get('authorization') ?? '');
  return match?.[1];
}
