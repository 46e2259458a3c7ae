import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import type { Response, Test } from 'supertest';
import { createToken } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import { PASSWORD } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

export const AUTHORIZE = '/api/v1/oauth/authorize';
export const CALLBACK = 'https://app.example/callback';
export const VERIFIER = randomBytes(32).toString('base64url');
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

const INSERT_APPLICATION = statement(`
  insert into oauth_applications (client_id, oauth_client_id, name, client_type, redirect_uris, scopes, grant_types,
    default_scopes, created_by_user_id)
  values ($1, $2, $3, 'public', $4, $5, '{authorization_code,refresh_token}', $6, $7) returning id`);

export interface TestApplication {
  id: number;
  clientId: string;
}

/** A public application of a tenant, as its owner would have registered it. */
export async function registerApplication(
  api: ApiFixture,
  tenant: ApiTenant,
  {
    name = 'Field Notes',
    redirectUris = [CALLBACK],
    scopes = ['openid', 'profile', 'work_items:read', 'invoices:write'],
    defaultScopes = [],
  }: { name?: string; redirectUris?: string[]; scopes?: string[]; defaultScopes?: string[] } = {},
): Promise<TestApplication> {
  const clientId = createToken('svc_oa_');
  const [row] = await api.services.system.query<{ id: number }>(INSERT_APPLICATION, [
    tenant.clientId,
    clientId,
    name,
    redirectUris,
    scopes,
    defaultScopes,
    tenant.users.owner.id,
  ]);
  return { id: row?.id ?? 0, clientId };
}

let addresses = 0;

/** A browser without scripts: keeps cookies, follows nothing, and can read the fields of a page's forms. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  /** Its own, so that no test meets the limits of another. */
  readonly address: string;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
    addresses += 1;
    this.address = `10.77.${String(addresses >> 8)}.${String(addresses & 255)}`;
  }

  get(path: string): Promise<Response> {
    return this.#send(supertest(this.#url).get(path));
  }

  post(path: string, fields: Record<string, string> | string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(supertest(this.#url).post(path).type('form').set(headers), fields);
  }

  postJson(path: string, body: unknown): Promise<Response> {
    return this.#send(supertest(this.#url).post(path).type('json'), JSON.stringify(body));
  }

  /** Follows redirects as long as they stay with us; answers the last page, or the redirect away from here. */
  async follow(answer: Response): Promise<Response> {
    let current = answer;
    while (current.status === 303 && current.headers['location']?.startsWith('/') === true)
      current = await this.get(current.headers['location']);
    return current;
  }

  /** From a login page to what comes after it. */
  async logIn(page: Response, email: string, password = PASSWORD): Promise<Response> {
    return this.post('/login', { ...fieldsOf(page.text, '/login'), email, password });
  }

  /** The authorization request of an application, up to the consent page. */
  async toConsent(path: string, email: string): Promise<Response> {
    const page = await this.follow(await this.get(path));
    return this.follow(await this.logIn(page, email));
  }

  decide(consent: Response, decision: string): Promise<Response> {
    return this.post(AUTHORIZE, { ...fieldsOf(consent.text, AUTHORIZE), decision });
  }

  async #send(test: Test, body?: Record<string, string> | string): Promise<Response> {
    void test.set('X-Forwarded-For', this.address).redirects(0);
    if (this.cookies.size > 0)
      void test.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await (body === undefined ? test : test.send(body));
    for (const cookie of cookiesOf(answer)) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

export function cookiesOf(answer: Response): string[] {
  return (answer.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
}

/** The hidden fields of the form that posts to `action`. */
export function fieldsOf(page: string, action: string): Record<string, string> {
  const form = page.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const inputs = form
    .slice(0, form.indexOf('</form>'))
    .matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}

/** An authorization request that is right, with changes; null leaves a parameter out. */
export function authorizePath(application: TestApplication, changes: Record<string, string | null> = {}): string {
  const all: Record<string, string | null> = {
    response_type: 'code',
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    scope: 'openid work_items:read',
    state: 'xyz',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== null) query.set(name, value);
  return `${AUTHORIZE}?${query.toString()}`;
}

/** What a redirect carries to the application. */
export function answerOf(answer: Response): { target: string; query: Record<string, string> } {
  const url = new URL(answer.headers['location'] ?? 'about:blank');
  return { target: `${url.origin}${url.pathname}`, query: Object.fromEntries(url.searchParams) };
}
