import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { ANY_VISION_SCOPE } from '../../api/vision/route.ts';
import { clientToken, register, RESOURCE, signIn, USERINFO } from './oauth-support.ts';
import type { TestApplication } from './oauth-support.ts';

let api: ApiFixture;
let app: TestApplication;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  app = await register(api);
});
afterAll(() => api.close());

const get = (path: string, token: string) => api.http().get(path).set('Authorization', `Bearer ${token}`);
const challengeOf = ({ headers }: Response): string | undefined => headers['www-authenticate'];
const metadata = (): string => `resource_metadata="${api.url}/.well-known/oauth-protected-resource"`;

describe.each([RESOURCE, USERINFO])('the challenge of %s', (path) => {
  it('tells who brings no token where to get one, and of no error', async () => {
    const answer = await api.http().get(path);
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toBe(`Bearer ${metadata()}`);
  });

  it('calls a bad, a revoked and an expired token invalid_token', async () => {
    const revoked = await clientToken(api, app);
    await api.http().post('/api/v1/oauth/revoke').type('form').send({ token: revoked });
    const expired = await clientToken(api, app);
    api.clock.advance(901);
    for (const token of ['a.b.c', revoked, expired]) {
      const answer = await get(path, token);
      expect(answer.status).toBe(401);
      expect(challengeOf(answer)).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+", /);
      expect(challengeOf(answer)).toContain(metadata());
    }
  });
});

describe('a token without the scope', () => {
  it('is told insufficient_scope, and a scope that would do', async () => {
    const resource = await get(RESOURCE, await clientToken(api, app, 'contacts:read'));
    expect(resource.status).toBe(403);
    expect(challengeOf(resource)).toBe(
      `Bearer error="insufficient_scope", error_description="This call needs the scope ${ANY_VISION_SCOPE.join(' or ')}.", scope="vision:extract", ${metadata()}`,
    );
    const { access_token: token } = await signIn(api, app, { scopes: ['vision:extract'] });
    const userinfo = await get(USERINFO, token);
    expect(userinfo.status).toBe(403);
    expect(challengeOf(userinfo)).toMatch(/^Bearer error="insufficient_scope", .*, scope="openid", resource_metadata=/);
  });
});

describe('routes without OAuth tokens', () => {
  it('name the error of a bearer token, and no authorization server', async () => {
    const answer = await get('/api/v1/auth/me', 'a.b.c');
    expect(challengeOf(answer)).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+"$/);
    expect(challengeOf(await api.http().get('/api/v1/auth/me'))).toBe('Bearer');
  });

  it('have no words of OAuth for API keys in X-API-Key', async () => {
    const unknown = await api.http().get('/api/v1/public/data').set('X-API-Key', 'svc_sk_unknown');
    expect(challengeOf(unknown)).toBe('Bearer');
    const scopeless = await api.act(await api.acme.key(['contacts:read']), { action: 'list-work-items' });
    expect({ status: scopeless.status, challenge: challengeOf(scopeless) }).toEqual({
      status: 403,
      challenge: undefined,
    });
  });
});
