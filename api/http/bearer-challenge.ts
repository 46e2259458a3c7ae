import type { Request } from 'express';
import { OAUTH_PATHS } from '../oauth/metadata.ts';

/** What RFC 6749 §5.2 and RFC 6750 §3 allow in an error_description. */
const NOT_ALLOWED = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

interface Challenge {
  error: 'invalid_token' | 'insufficient_scope';
  description: string;
  /** A scope that would do. */
  scope?: string | undefined;
}

/**
 * The value of `WWW-Authenticate` (RFC 6750 §3). Who presented no token is told no error, as §3.1 wants it; who may come
 * with an OAuth token learns where to get one (RFC 9728 §5.1).
 */
export function bearerChallenge(req: Request, takesOAuth: boolean, challenge?: Challenge): string {
  const told = challenge !== undefined && presentsBearer(req) ? challenge : undefined;
  const url = req.app.get('public url') as string;
  const parameters: Record<string, string | undefined> = {
    error: told?.error,
    error_description: told && describable(told.description),
    scope: told?.scope,
    resource_metadata: takesOAuth ? url + OAUTH_PATHS.resourceMetadata : undefined,
  };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  );
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`;
}

export function presentsBearer(req: Request): boolean {
  return /^bearer +\S/i.test(req.headers.authorization ?? '');
}

/** A text as an error_description may hold it: printable ASCII without quotation mark and backslash. */
export function describable(text: string): string {
  return text.replaceAll(NOT_ALLOWED, "'");
}
