import type { RequestHandler, Response } from 'express';

const ALLOWED_HEADERS = [
  'Content-Type',
  'Authorization',
  'X-API-Key',
  'Idempotency-Key',
  'X-API-Version',
  'X-Requested-With',
  'X-Session-Token',
  'X-App-ID',
  'X-Client-ID',
  'X-Portal',
  'X-App-Version',
  'X-Inspection-Token',
].join(', ');
const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED_HEADERS = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const PREFLIGHT_SECONDS = '86400';

/**
 * CORS as the spec has it ("Authentication" 6): requests with X-API-Key are open to every origin, without credentials;
 * bearer requests to the known origins, with credentials. A preflight carries no key yet, so it is judged by the headers
 * that it asks for.
 */
export function cors(knownOrigins: readonly string[]): RequestHandler {
  const known = new Set(knownOrigins);
  return (req, res, next) => {
    const origin = req.headers.origin;
    const preflight = req.method === 'OPTIONS';
    if (origin !== undefined) {
      const asked = req.get('access-control-request-headers')?.toLowerCase() ?? '';
      const withKey = preflight
        ? asked.split(',').some((name) => name.trim() === 'x-api-key')
        : req.get('x-api-key') !== undefined;
      allowOrigin(res, origin, withKey, known);
    }
    if (!preflight) {
      next();
      return;
    }
    res.set({
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Allow-Methods': ALLOWED_METHODS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    });
    res.status(204).end();
  };
}

function allowOrigin(res: Response, origin: string, withKey: boolean, known: ReadonlySet<string>): void {
  res.vary('Origin');
  res.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  if (withKey) {
    res.set('Access-Control-Allow-Origin', '*');
  } else if (known.has(origin)) {
    res.set('Access-Control-Allow-Origin', origin);
    res.set('Access-Control-Allow-Credentials', 'true');
  }
}
