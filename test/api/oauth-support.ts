import { createHash, randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { findApplication, issueCode } from '../../domain/oauth/index.ts';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

export const REDIRECT_URI = 'https://app.example.com/callback';
export const TOKEN = '/api/v1/oauth/token';
export const REVOKE = '/api/v1/oauth/revoke';
export const INTROSPECT = '/api/v1/oauth/introspect';
export const USERINFO = '/api/v1/oauth/userinfo';
export const APPLICATIONS = '/api/v1/oauth/applications';
/** A route that takes OAuth tokens: 404 for a good one (there is no such result), 401 for any other. */
export const RESOURCE = '/api/v1/vision/results/0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11';

export interface TestApplication {
  id: number;
  client_id: string;
  client_secret: string | null;
}

export type Fields = Readonly<Record<string, string>>;

/** Registers an application over HTTP, as the owner of the tenant. */
export async function register(
  api: ApiFixture,
  input: Record<string, unknown> = {},
  tenant: ApiTenant = api.acme,
): Promise<TestApplication> {
  const answer = await api
    .http()
    .post(APPLICATIONS)
    .set('Authorization', `Bearer ${await tenant.token()}`)
    .send({
      name: 'Fleet planner',
      redirect_uris: [REDIRECT_URI],
      scopes: ['openid', 'profile', 'email', 'vision:extract', 'contacts:read'],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      ...input,
    });
  if (answer.status !== 201) throw new Error(`${String(answer.status)} ${answer.text}`);
  return answer.body.data as TestApplication;
}

export function registerPublic(api: ApiFixture, input: Record<string, unknown> = {}): Promise<TestApplication> {
  return register(api, { client_type: 'public', grant_types: ['authorization_code', 'refresh_token'], ...input });
}

/** The API with a confidential and a public application of the tenant acme. */
export async function startWithApplications(): Promise<{
  api: ApiFixture;
  app: TestApplication;
  publicApp: TestApplication;
}> {
  const api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  return { api, app: await register(api), publicApp: await registerPublic(api) };
}

export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export interface CodeOptions {
  tenant?: ApiTenant;
  role?: Role;
  scopes?: readonly string[];
  nonce?: string;
  redirectUri?: string;
}

/** An authorization code as the consent page issues it, and what its exchange has to send. */
export async function approve(
  api: ApiFixture,
  { client_id: clientId }: TestApplication,
  { tenant = api.acme, role = 'owner', scopes, nonce, redirectUri = REDIRECT_URI }: CodeOptions = {},
): Promise<{ grant_type: string; code: string; redirect_uri: string; code_verifier: string }> {
  const application = await findApplication(api.services.system, clientId);
  if (application === undefined) throw new Error(`there is no application ${clientId}`);
  const { verifier, challenge } = pkce();
  const now = api.clock.now();
  const code = await issueCode(
    api.services.system,
    {
      application,
      userId: tenant.users[role].id,
      redirectUri,
      scopes: scopes ?? ['openid', 'profile', 'email', 'vision:extract'],
      codeChallenge: challenge,
      ...(nonce === undefined ? {} : { nonce }),
      authenticatedAt: new Date(now),
      address: null,
    },
    now,
  );
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
}

/** POST of a form with the application's credentials in the body. */
export function post(
  api: ApiFixture,
  path: string,
  fields: Fields,
  application?: Pick<TestApplication, 'client_id' | 'client_secret'>,
): Promise<Response> {
  const credentials =
    application === undefined
      ? {}
      : {
          client_id: application.client_id,
          ...(application.client_secret === null ? {} : { client_secret: application.client_secret }),
        };
  return Promise.resolve(
    api
      .http()
      .post(path)
      .type('form')
      .send({ ...credentials, ...fields }),
  );
}

export function tokenRequest(api: ApiFixture, fields: Fields, application?: TestApplication): Promise<Response> {
  return post(api, TOKEN, fields, application);
}

/** Tokens of a whole code exchange. */
export async function signIn(
  api: ApiFixture,
  application: TestApplication,
  options: CodeOptions = {},
): Promise<{ access_token: string; refresh_token: string; id_token?: string; scope: string }> {
  const answer = await tokenRequest(api, await approve(api, application, options), application);
  if (answer.status !== 200) throw new Error(`${String(answer.status)} ${answer.text}`);
  return answer.body as { access_token: string; refresh_token: string; scope: string };
}

export async function clientToken(api: ApiFixture, application: TestApplication, scope?: string): Promise<string> {
  const fields = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  const answer = await tokenRequest(api, fields, application);
  if (answer.status !== 200) throw new Error(`${String(answer.status)} ${answer.text}`);
  return (answer.body as { access_token: string }).access_token;
}

export function refresh(
  api: ApiFixture,
  application: TestApplication,
  token: string,
  scope?: string,
): Promise<Response> {
  const fields = { grant_type: 'refresh_token', refresh_token: token, ...(scope === undefined ? {} : { scope }) };
  return tokenRequest(api, fields, application);
}

/** Whether a resource takes the token: what it answers. */
export async function resourceStatus(api: ApiFixture, token: string): Promise<number> {
  return (await api.http().get(RESOURCE).set('Authorization', `Bearer ${token}`)).status;
}

export async function isActive(api: ApiFixture, application: TestApplication, token: string): Promise<boolean> {
  return (await post(api, INTROSPECT, { token }, application)).body.active as boolean;
}

/** The claims of a JWT, unchecked. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

export function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

const SET_ACTIVE = statement(`update users set is_active = $2 where id = $1`);
const SET_ROLE = statement(`update users set role = $2 where id = $1`);

export async function setActive(api: ApiFixture, userId: number, isActive: boolean): Promise<void> {
  await api.services.system.query(SET_ACTIVE, [userId, isActive]);
}

export async function setRole(api: ApiFixture, userId: number, role: Role): Promise<void> {
  await api.services.system.query(SET_ROLE, [userId, role]);
}
