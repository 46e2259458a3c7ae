import type { Request } from 'express';

/** A request's use of its Idempotency-Key. */
export interface IdempotencyUse {
  key: string;
  /** The operation of a batch; '' for a request as a whole. */
  part: string;
  /** Digest of method, path and body: what a repetition must share with the first request. */
  fingerprint: Buffer;
  /** Id of the request whose answer is given again, once that is so. */
  replayOf?: string;
}

/** What the middleware learns of a request, kept apart from Express' own properties. */
export interface RequestContext {
  requestId: string;
  /** The dated version that handles the request. */
  version: string;
  /** When the request came in, for its log line. */
  startedAt: number;
  /** The route as declared (`/api/v1/work-items/{id}`), for log lines and metrics. */
  route: string;
  /** What opens the route, once it is known that it needs authentication: what a refusal tells of it. */
  guard?: { takesOAuth: boolean; scopes: readonly string[] | null };
  /** Its Idempotency-Key in use, once it is known that the key counts here. */
  idempotency?: IdempotencyUse;
  /** It came for the sandbox of Document AI. */
  isSandbox?: boolean;
}

/** The caller's address, told by the proxies that are trusted; without their header it is the connection's. */
export function addressOf(req: Request): string | null {
  const address = req.headers['x-forwarded-for'] === undefined ? req.socket.remoteAddress : req.ip;
  return address ?? null;
}

const contexts = new WeakMap<Request, RequestContext>();

export function setContext(req: Request, context: RequestContext): void {
  contexts.set(req, context);
}

export function contextOf(req: Request): RequestContext {
  const context = contexts.get(req);
  if (context === undefined) throw new Error('the request-context middleware did not run');
  return context;
}
