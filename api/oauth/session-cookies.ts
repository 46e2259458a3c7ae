import { createHmac, randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { SESSION_SECONDS } from '../../domain/auth/index.ts';
import { sha256 } from '../../platform/crypto.ts';

/** What a browser is known by before it is signed in. */
export interface Visitor {
  /** Digest of the cookie: what an authorization request is bound to. */
  hash: Buffer;
  /** Proves that a form was sent from a page that this browser got: only who has the cookie can make it. */
  csrfToken: string;
}

const VISITOR_VALUE = /^[\w-]{43}$/;

/**
 * The two cookies of the pages: `session` of a signed-in user, `login` of a browser on its way there. Over https their
 * names begin `__Host-`, so that no other host, and no page without TLS, can set them (RFC 6265bis §4.1.3.2); browsers
 * keep no such cookie on http, where only development on loopback takes place.
 */
export class SessionCookies {
  readonly #prefix: string;
  readonly #options: CookieOptions;

  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith('https:');
    this.#prefix = secure ? '__Host-' : '';
    // Lax, not Strict: the request of an application comes from its own site.
    this.#options = { httpOnly: true, sameSite: 'lax', path: '/', secure };
  }

  sessionId(req: Request): string | undefined {
    return cookieOf(req, `${this.#prefix}session`);
  }

  setSession(res: Response, id: string): void {
    res.cookie(`${this.#prefix}session`, id, { ...this.#options, maxAge: SESSION_SECONDS * 1000 });
    res.clearCookie(`${this.#prefix}login`, this.#options);
  }

  clearSession(res: Response): void {
    res.clearCookie(`${this.#prefix}session`, this.#options);
  }

  visitor(req: Request): Visitor | undefined {
    const value = cookieOf(req, `${this.#prefix}login`);
    return value !== undefined && VISITOR_VALUE.test(value) ? visitorOf(value) : undefined;
  }

  /** The visitor of the request, or a new one whose cookie goes with the answer. */
  welcome(req: Request, res: Response): Visitor {
    return this.visitor(req) ?? this.newVisitor(res);
  }

  newVisitor(res: Response): Visitor {
    const value = randomBytes(32).toString('base64url');
    res.cookie(`${this.#prefix}login`, value, this.#options);
    return visitorOf(value);
  }
}

function visitorOf(value: string): Visitor {
  return { hash: sha256(value), csrfToken: createHmac('sha256', value).update('login form').digest('base64url') };
}

function cookieOf(req: Request, name: string): string | undefined {
  return parseCookie(req.headers.cookie ?? '')[name];
}
