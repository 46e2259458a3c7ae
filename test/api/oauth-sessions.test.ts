import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { hashPassword } from '../../platform/password.ts';
import { cookiesOf, fieldsOf, TestBrowser } from './oauth-pages-support.ts';
import { PASSWORD, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const HOUR = 3600;

const KNOWN_ORIGIN = 'https://console.example';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ CORS_ORIGINS: KNOWN_ORIGIN });
});
afterAll(() => api.close());

const browser = (): TestBrowser => new TestBrowser(api.url);
const owner = 'owner@acme.example';
const isSignedIn = async (visitor: TestBrowser): Promise<boolean> =>
  (await visitor.get('/login')).text.includes('You are signed in');

async function signedIn(email = owner): Promise<TestBrowser> {
  const visitor = browser();
  const answer = await visitor.logIn(await visitor.get('/login'), email);
  expect({ status: answer.status, to: answer.headers['location'] }).toEqual({ status: 303, to: '/login' });
  return visitor;
}

function expectLoginRefused(answer: Response, status: number, text: RegExp): void {
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(text);
  expect(answer.text).toMatch(/<p id="error" class="alert" role="alert">/);
  expect(answer.text).toMatch(/<input\s+id="email"[^>]*\saria-invalid="true" aria-describedby="error"/);
  expect(cookiesOf(answer).join()).not.toContain('session=');
}

describe('sign-in', () => {
  it('sets a session cookie that scripts and other sites do not get', async () => {
    const visitor = browser();
    const answer = await visitor.logIn(await visitor.get('/login'), ' Owner@ACME.example ');
    const cookie = cookiesOf(answer).find((text) => text.startsWith('session='));
    expect(cookie).toMatch(/^session=[\w-]{43}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it('calls its cookies __Host- and marks them Secure where the API is reached by https', async () => {
    const { SessionCookies } = await import('../../api/oauth/session-cookies.ts');
    const set: unknown[][] = [];
    const res = { cookie: (...given: unknown[]) => set.push(given), clearCookie: () => undefined };
    const cookies = new SessionCookies('https://platform.example');
    cookies.setSession(res as never, 'id');
    cookies.newVisitor(res as never);
    expect(set.map(([name]) => name)).toEqual(['__Host-session', '__Host-login']);
    for (const [, , options] of set) {
      expect(options).toMatchObject({ secure: true, httpOnly: true, sameSite: 'lax', path: '/' });
      expect(options).not.toHaveProperty('domain');
    }
  });

  it('keeps the digest of the session id, never the id', async () => {
    const visitor = await signedIn();
    const id = visitor.cookies.get('session')!;
    const rows = await api.services.system.query(statement('select * from browser_sessions where id_hash = $1'), [
      createHash('sha256').update(id).digest(),
    ]);
    expect(rows).toEqual([expect.objectContaining({ user_id: api.acme.users.owner.id, address: visitor.address })]);
    expect(api.logLines.join('\n')).not.toContain(id);
    expect(api.logLines.join('\n')).not.toContain(PASSWORD);
  });

  it('rotates the session id at each login: a planted one is worth nothing (no fixation)', async () => {
    const visitor = browser();
    visitor.cookies.set('session', 'p'.repeat(43));
    await visitor.logIn(await visitor.get('/login'), owner);
    const first = visitor.cookies.get('session')!;
    expect(first).not.toBe('p'.repeat(43));
    const planted = browser();
    planted.cookies.set('session', 'p'.repeat(43));
    expect(await isSignedIn(planted)).toBe(false);
    const fresh = browser();
    const page = await fresh.get('/login');
    fresh.cookies.set('session', first);
    await fresh.logIn(page, owner);
    expect(fresh.cookies.get('session')).not.toBe(first);
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await isSignedIn(fresh)).toBe(true);
  });

  it('says the same of an unknown e-mail, a wrong password and a deactivated user', async () => {
    const tenant = await api.tenant('leavers');
    await api.services.system.query(statement('update users set is_active = false where id = $1'), [
      tenant.users.member.id,
    ]);
    const visitor = browser();
    const page = await visitor.get('/login');
    for (const [email, password] of [
      ['nobody@acme.example', PASSWORD],
      [owner, 'wrong'],
      ['member@leavers.example', PASSWORD],
    ] as const) {
      const answer = await visitor.logIn(page, email, password);
      expectLoginRefused(answer, 422, /The e-mail address or the password is wrong\./);
      expect(answer.text).toContain(`value="${email}"`);
    }
  });

  it.each([
    ['no e-mail address', '', PASSWORD],
    ['no password', owner, ''],
    ['a NUL', 'owner\0@acme.example', PASSWORD],
    ['a password beyond measure', owner, 'x'.repeat(1025)],
  ])('asks for both fields when there is %s', async (_what, email, password) => {
    const visitor = browser();
    expectLoginRefused(await visitor.logIn(await visitor.get('/login'), email, password), 422, /Enter your e-mail/);
  });

  it('shows what was typed as text, never as markup', async () => {
    const visitor = browser();
    const answer = await visitor.logIn(await visitor.get('/login'), '"><script>alert(1)</script>', 'x');
    expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(answer.text).not.toContain('<script');
  });

  it('counts failures together with POST /api/v1/auth/login: 429 says how long', async () => {
    const visitor = browser();
    const page = await visitor.get('/login');
    for (let n = 0; n < 5; n += 1) {
      expect((await visitor.logIn(page, 'member@acme.example', 'wrong')).status).toBe(422);
      const body = { email: 'member@acme.example', password: 'wrong' };
      expect((await api.http().post('/api/v1/auth/login').send(body)).status).toBe(401);
    }
    const locked = await visitor.logIn(page, 'member@acme.example');
    expectLoginRefused(locked, 429, /Too many failed sign-ins\. Try again in 15 minutes\./);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(880);
  });
});

describe('forms are ours alone', () => {
  it('refuses a login without the token of its page, with another browser’s, or without the cookie', async () => {
    const visitor = browser();
    const fields = fieldsOf((await visitor.get('/login')).text, '/login');
    const stranger = browser();
    const theirs = fieldsOf((await stranger.get('/login')).text, '/login');
    const credentials = { email: owner, password: PASSWORD };
    for (const answer of [
      await visitor.post('/login', credentials),
      await visitor.post('/login', { ...credentials, csrf_token: theirs['csrf_token']! }),
      await browser().post('/login', { ...credentials, ...fields }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This form is no longer valid');
      expect(cookiesOf(answer)).toEqual([]);
    }
  });

  it('refuses what the browser itself marks as sent from another site', async () => {
    const visitor = browser();
    const fields = { ...fieldsOf((await visitor.get('/login')).text, '/login'), email: owner, password: PASSWORD };
    for (const site of ['cross-site', 'same-site'])
      expect((await visitor.post('/login', fields, { 'Sec-Fetch-Site': site })).status).toBe(403);
    expect((await visitor.post('/login', fields, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(303);
  });

  it('refuses a field sent twice, a body of another type and one beyond 16 KiB', async () => {
    const visitor = browser();
    expect((await visitor.post('/login', 'email=a&email=b')).status).toBe(400);
    expect((await visitor.post('/login', 'x', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await visitor.post('/login', `x=${'y'.repeat(16_400)}`)).status).toBe(413);
  });

  it('has no way to be sent elsewhere after the login', async () => {
    const visitor = browser();
    const page = await visitor.get('/login?return_to=https://evil.example&next=//evil.example');
    expect(page.text).not.toContain('evil');
    const fields = { ...fieldsOf(page.text, '/login'), email: owner, password: PASSWORD };
    const answer = await visitor.post('/login?next=//evil.example', { ...fields, return_to: 'https://evil.example' });
    expect(answer.headers['location']).toBe('/login');
    expect((await visitor.get('/login?request=https://evil.example')).status).toBe(400);
  });
});

describe('the end of a session', () => {
  it('comes by POST /logout with the token of the page, and GET /logout only asks', async () => {
    const visitor = await signedIn();
    const ask = await visitor.get('/logout');
    expect(ask.text).toContain('Sign out?');
    expect((await visitor.post('/logout', { csrf_token: 'x' })).status).toBe(403);
    expect(await isSignedIn(visitor)).toBe(true);
    const id = visitor.cookies.get('session')!;
    const done = await visitor.post('/logout', fieldsOf(ask.text, '/logout'));
    expect({ status: done.status, to: done.headers['location'] }).toEqual({ status: 303, to: '/logout' });
    expect((await visitor.get('/logout')).text).toContain('You are signed out');
    visitor.cookies.set('session', id);
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await visitor.post('/logout', {})).headers['location']).toBe('/logout');
  });

  it('comes after 2 hours without use, and use puts it off, at most once a minute in its row', async () => {
    const visitor = await signedIn();
    api.clock.advance(1.9 * HOUR);
    expect(await isSignedIn(visitor)).toBe(true);
    const lastSeen = async (): Promise<unknown> =>
      await api.services.system.query(statement('select last_seen_at from browser_sessions where address = $1'), [
        visitor.address,
      ]);
    const before = await lastSeen();
    api.clock.advance(30);
    await visitor.get('/login');
    expect(await lastSeen()).toEqual(before);
    api.clock.advance(1.9 * HOUR);
    expect(await isSignedIn(visitor)).toBe(true);
    api.clock.advance(2 * HOUR);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('comes after 12 hours, however much it is used', async () => {
    const visitor = await signedIn();
    for (let n = 0; n < 7; n += 1) {
      api.clock.advance(1.7 * HOUR);
      expect(await isSignedIn(visitor)).toBe(true);
    }
    api.clock.advance(0.2 * HOUR);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('comes with the user’s deactivation and with a new password, for sessions that began before it', async () => {
    const { users } = await api.tenant('changes');
    const [admin, member] = await Promise.all([signedIn(users.admin.email), signedIn(users.member.email)]);
    await api.services.system.query(statement('update users set is_active = false where id = $1'), [users.admin.id]);
    expect(await isSignedIn(admin)).toBe(false);
    await api.services.system.query(
      statement('update users set password_hash = $2, password_changed_at = $3 where id = $1'),
      [users.member.id, await hashPassword(PASSWORD), new Date(api.clock.now())],
    );
    expect(await isSignedIn(member)).toBe(false);
    expect(await isSignedIn(await signedIn(users.member.email))).toBe(true);
  });
});

describe('the pages', () => {
  it('run no script, load nothing from elsewhere, and are kept by nobody', async () => {
    for (const path of ['/login', '/logout', '/consent', '/login?request=x']) {
      const page = await browser().get(path);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      });
      expect(page.text).toMatch(/^<!doctype html>\s+<html lang="en">/);
      expect(page.text).not.toMatch(/<script|<style| style=| on\w+=|https?:/);
    }
  });

  it('are read by no other origin, not even one that may call the API', async () => {
    const headers = { Origin: KNOWN_ORIGIN, 'X-Forwarded-For': '10.78.0.1' };
    const called = await api.http().get('/api/v1/auth/me').set(headers);
    expect(called.headers['access-control-allow-origin']).toBe(KNOWN_ORIGIN);
    for (const path of ['/login', '/logout', '/consent', '/api/v1/oauth/authorize']) {
      const page = await api.http().get(path).set(headers);
      expect(Object.keys(page.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('have one style sheet, kept for long under its versioned address', async () => {
    const href = /<link rel="stylesheet" href="([^"]+)"/.exec((await browser().get('/login')).text)![1]!;
    const style = await browser().get(href);
    expect(style.headers['content-type']).toMatch(/^text\/css/);
    expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await browser().get('/console/style.css')).headers['cache-control']).toBe('no-cache');
  });

  it('answer 405 as a page, with Allow', async () => {
    const answer = await api.http().put('/login');
    expect({ status: answer.status, allow: answer.headers['allow'] }).toEqual({
      status: 405,
      allow: 'GET, HEAD, POST, OPTIONS',
    });
    expect(answer.text).toContain('<h1>');
  });
});
