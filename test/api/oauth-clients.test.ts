import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { ApiFixture } from './support.ts';
import { TestBrowser } from './oauth-pages-support.ts';
import { REDIRECT_URI, resourceStatus, startWithApplications } from './oauth-support.ts';
import type { TestApplication } from './oauth-support.ts';

const SCOPE = 'openid profile email vision:extract';

let api: ApiFixture;
let app: TestApplication;
let publicApp: TestApplication;
beforeAll(async () => {
  ({ api, app, publicApp } = await startWithApplications());
});
afterAll(() => api.close());

/** What the browser is sent back to the application with, after login and consent. */
async function throughTheBrowser(authorizationUrl: URL): Promise<URL> {
  const browser = new TestBrowser(api.url);
  const path = authorizationUrl.pathname + authorizationUrl.search;
  const consent = await browser.toConsent(path, api.acme.users.owner.email);
  const answer = await browser.decide(consent, 'approve');
  return new URL(answer.headers['location'] ?? '');
}

describe('openid-client, unmodified', () => {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated to stand out; the test server has no TLS
  const allow = { execute: [openid.allowInsecureRequests] };
  const clients: [string, () => Promise<openid.Configuration>][] = [
    [
      'client_secret_post',
      () => openid.discovery(new URL(api.url), app.client_id, app.client_secret ?? '', undefined, allow),
    ],
    [
      'client_secret_basic',
      () =>
        openid.discovery(new URL(api.url), app.client_id, {}, openid.ClientSecretBasic(app.client_secret ?? ''), allow),
    ],
    [
      'a public client, by RFC 8414 metadata',
      () =>
        openid.discovery(new URL(api.url), publicApp.client_id, {}, openid.None(), { ...allow, algorithm: 'oauth2' }),
    ],
  ];

  it.each(clients)('signs in, refreshes, reads userinfo and revokes with %s', async (_, discover) => {
    const config = await discover();
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const nonce = openid.randomNonce();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: '3600',
    });
    const tokens = await openid.authorizationCodeGrant(config, await throughTheBrowser(url), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      maxAge: 3600,
      idTokenExpected: true,
    });
    const sub = String(api.acme.users.owner.id);
    expect(tokens.claims()).toMatchObject({ sub, nonce });
    expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub, name: 'owner' });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await resourceStatus(api, refreshed.access_token)).toBe(404);
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await resourceStatus(api, refreshed.access_token)).toBe(401);
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
  });

  it('gets a token of its own and introspects it', async () => {
    const config = await openid.discovery(new URL(api.url), app.client_id, app.client_secret ?? '', undefined, allow);
    const { access_token: token } = await openid.clientCredentialsGrant(config, { scope: 'contacts:read' });
    expect(await openid.tokenIntrospection(config, token)).toMatchObject({ active: true, scope: 'contacts:read' });
    await openid.tokenRevocation(config, token);
    expect(await openid.tokenIntrospection(config, token)).toEqual({ active: false });
  });
});

describe('oauth4webapi, unmodified', () => {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
  const insecure = { [oauth.allowInsecureRequests]: true } as const;

  it('discovers, signs in, checks the ID token’s signature, refreshes and revokes', async () => {
    const issuer = new URL(api.url);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const client: oauth.Client = { client_id: app.client_id };
    const auth = oauth.ClientSecretBasic(app.client_secret ?? '');
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const callback = oauth.validateAuthResponse(as, client, await throughTheBrowser(url), state);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      callback,
      REDIRECT_URI,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, answer, insecure);
    const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
    const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    expect(await oauth.processUserInfoResponse(as, client, sub, info)).toMatchObject({ sub });
    const request = new Request(`${api.url}/anything`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(await oauth.validateJwtAccessToken(as, request, api.url, insecure)).toMatchObject({
      client_id: app.client_id,
      sub,
    });
    const next = await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? '', insecure);
    const refreshed = await oauth.processRefreshTokenResponse(as, client, next);
    const revoked = await oauth.revocationRequest(as, client, auth, refreshed.refresh_token ?? '', insecure);
    await oauth.processRevocationResponse(revoked);
    const seen = await oauth.introspectionRequest(as, client, auth, refreshed.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(as, client, seen)).toEqual({ active: false });
  });

  it('finds the authorization server from the resource (RFC 9728)', async () => {
    const resource = new URL(api.url);
    const response = await oauth.resourceDiscoveryRequest(resource, insecure);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(metadata.authorization_servers).toEqual([api.url]);
  });
});
