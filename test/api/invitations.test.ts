import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { statement } from '../../platform/db/statement.ts';
import { fieldsOf, TestBrowser } from './oauth-pages-support.ts';
import { expectRefusal, PASSWORD, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';
import { actingAs } from './users-support.ts';

const ACCEPT = '/api/v1/auth/accept-invitation';
const FORGOT = '/api/v1/auth/forgot-password';
const CHOSEN = 'a long sentence is easy to keep';
const DAY = 86_400;
const MAIL_TO = statement(`
  select mail_id, kind, subject, text_body, is_confidential from mails where to_address = $1 order by id desc`);
const ACTIONS = statement(`
  select action, address from audit_entries where subject_type = 'user' and subject_id = $1 order by id`);
const INVITED = statement(`
  select details from audit_entries
  where subject_type = 'user' and action = 'user.invited' and subject_id = any($1::text[]) order by id`);
const EARLIER = statement(`update auth_failures set at = at - interval '1 hour' where subject like 'forgotten%'`);

let api: ApiFixture;
let tenant: ApiTenant;
let people = 0;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  tenant = await api.tenant('hiring', { tier: 'enterprise' });
});
afterAll(() => api.close());

interface Invited {
  id: number;
  email: string;
  token: string;
}

const tokenIn = (text: string): string => /token=(svc_in_[\w-]+)/.exec(text)?.[1] ?? '';
const owner = () => actingAs(api, tenant);

async function invite(): Promise<Invited> {
  people += 1;
  const input = { email: `person${String(people)}@hiring.example`, given_name: 'Sipho', family_name: 'Mokoena' };
  const { body } = await owner().post('/api/v1/users', input);
  return { id: body.data.id, email: input.email, token: tokenIn(body.invitation_url) };
}

let addresses = 0;
/** From an address of its own, so that no test meets the limits of another. */
const post = (path: string, body: object, address?: string): Promise<Response> => {
  addresses += 1;
  const own = `10.88.${String(addresses >> 8)}.${String(addresses & 255)}`;
  return Promise.resolve(
    api
      .http()
      .post(path)
      .set('X-Forwarded-For', address ?? own)
      .send(body),
  );
};
const accept = (token: string, password = CHOSEN, address?: string) => post(ACCEPT, { token, password }, address);
const login = (email: string, password: string) => post('/api/v1/auth/login', { email, password });
const mailsTo = (email: string) =>
  api.services.system.query<{ mail_id: string; kind: string; subject: string; text_body: string }>(MAIL_TO, [email]);

describe('POST /api/v1/auth/accept-invitation', () => {
  it('sets the password once, verifies the address, and signs nobody in', async () => {
    const { id, email, token } = await invite();
    const answer = await accept(token, CHOSEN, '203.0.113.5');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ email });
    const session = await login(email, CHOSEN);
    expect(session.body.data.user).toMatchObject({ id, email_verified: true, client_id: tenant.clientId });
    const { data } = (await owner().get(`/api/v1/users/${String(id)}`)).body;
    expect(data).toMatchObject({ email_verified: true, invitation_expires_at: null });
    expect(await api.services.system.query(ACTIONS, [String(id)])).toEqual([
      { action: 'user.created', address: expect.any(String) },
      { action: 'user.invitation_accepted', address: '203.0.113.5' },
    ]);
    expectRefusal(await accept(token, 'another long sentence'), 401, 'UNAUTHORIZED');
    expect((await login(email, CHOSEN)).status).toBe(200);
  });

  it('takes a token once, however many come with it at the same moment', async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => accept(token, `${CHOSEN} ${String(n)}`)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
  });

  it('has the same answer for a token that is unknown, malformed, used, replaced, expired, or of a deactivated user', async () => {
    const [used, replaced, left, late] = [await invite(), await invite(), await invite(), await invite()];
    await accept(used.token);
    const next = await owner().post(`/api/v1/users/${String(replaced.id)}/invite`, {});
    await owner().patch(`/api/v1/users/${String(left.id)}`, { is_active: false });
    await owner().patch(`/api/v1/users/${String(left.id)}`, { is_active: true });
    const wrong = [used.token, replaced.token, left.token, 'nothing', `${late.token.slice(0, -1)}x`];
    const answers = await Promise.all(wrong.map((token) => accept(token)));
    expect((await accept(tokenIn(next.body.invitation_url))).status).toBe(200);
    api.clock.advance(7 * DAY);
    answers.push(await accept(late.token));
    for (const answer of answers) expectRefusal(answer, 401, 'UNAUTHORIZED');
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
    const anew = await owner().post(`/api/v1/users/${String(late.id)}/invite`, {});
    api.clock.advance(7 * DAY - 60);
    expect((await accept(tokenIn(anew.body.invitation_url))).status).toBe(200);
  });

  it('counts wrong tokens with the failed sign-ins of their address', async () => {
    const { token, email } = await invite();
    for (let n = 0; n < 10; n += 1) expect((await accept('wrong', CHOSEN, '203.0.113.77')).status).toBe(401);
    expectRefusal(await accept(token, CHOSEN, '203.0.113.77'), 429, 'RATE_LIMITED');
    const signIn = { email: 'owner@hiring.example', password: PASSWORD };
    expectRefusal(await post('/api/v1/auth/login', signIn, '203.0.113.77'), 429, 'RATE_LIMITED');
    expect((await accept(token)).body.data).toEqual({ email });
  });

  it('refuses a short password, and leaves the token good', async () => {
    const { token } = await invite();
    expectRefusal(await accept(token, 'too short'), 400, 'VALIDATION_ERROR');
    expect((await accept(token)).status).toBe(200);
  });
});

describe('the mail of an invitation', () => {
  it('goes to the invited, and shows its text to nobody else', async () => {
    const { email, token } = await invite();
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({
      kind: 'user_invitation',
      subject: 'Your invitation to hiring',
      is_confidential: true,
    });
    expect(mail?.text_body).toContain(`${api.url}/invitation?token=${token}\n`);
    expect(mail?.text_body).toContain('owner invites you to work with hiring');
    const list = await owner().get('/api/v1/mails?kind=user_invitation');
    expect(list.body.data[0]).toMatchObject({ to_address: email, subject: 'Your invitation to hiring' });
    const shown = await owner().get(`/api/v1/mails/${String(mail?.mail_id)}`);
    expect(shown.body.data).toMatchObject({ kind: 'user_invitation', text_body: null });
    expect(list.text + shown.text).not.toContain('svc_in_');
  });

  it('alone has the link for somebody who has a password, where a mail server is set up', async () => {
    const mailing = await startApi({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@platform.example' });
    try {
      const { member } = mailing.acme.users;
      const admin = actingAs(mailing, mailing.acme, 'admin');
      const again = async (id: number) => (await admin.post(`/api/v1/users/${String(id)}/invite`, {})).body;
      const answer = await again(member.id);
      expect(answer).toMatchObject({ success: true, data: { id: member.id } });
      expect(JSON.stringify(answer)).not.toMatch(/invitation_url|svc_in_/);
      const [mail] = await mailing.services.system.query<{ text_body: string }>(MAIL_TO, [member.email]);
      const token = tokenIn(mail?.text_body ?? '');
      const accepted = await mailing.http().post(ACCEPT).send({ token, password: CHOSEN });
      expect(accepted.body.data).toEqual({ email: member.email });
      const newcomer = { email: 'new@hiring.example', given_name: 'Sipho', family_name: 'Mokoena' };
      const added = (await admin.post('/api/v1/users', newcomer)).body;
      expect(tokenIn(added.invitation_url)).not.toBe('');
      expect(tokenIn((await again(added.data.id)).invitation_url)).not.toBe('');
      expect(await mailing.services.system.query(INVITED, [[member.id, added.data.id].map(String)])).toEqual([
        { details: { had_password: true, link_in_answer: false } },
        { details: { had_password: false, link_in_answer: true } },
      ]);
    } finally {
      await mailing.close();
    }
  });

  it('is not the only way to the link for somebody who has a password where none is set up', async () => {
    const { id, token } = await invite();
    await accept(token);
    const again = (await owner().post(`/api/v1/users/${String(id)}/invite`, {})).body;
    expect((await accept(tokenIn(again.invitation_url), 'quite another sentence')).status).toBe(200);
    expect(await api.services.system.query(INVITED, [[String(id)]])).toEqual([
      { details: { had_password: true, link_in_answer: true } },
    ]);
  });

  it('leaves its token in no line of the log', async () => {
    const { token } = await invite();
    await api.http().get(`/invitation?token=${token}`);
    await accept(token);
    expect(api.logLines.join('\n')).not.toContain('svc_in_');
  });
});

describe('GET and POST /invitation', () => {
  const open = async (token: string) => {
    const browser = new TestBrowser(api.url);
    const page = await browser.get(`/invitation?token=${token}`);
    const send = (fields: Record<string, string>) =>
      browser.post('/invitation', { ...fieldsOf(page.text, '/invitation'), ...fields });
    return { browser, page, send };
  };

  it('lets the invited choose a password, and leads to the sign-in', async () => {
    const { email, token } = await invite();
    const { browser, page, send } = await open(token);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${email}"`);
    expect(page.text).not.toContain('<script');
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect((await open(token)).page.status).toBe(200);
    const short = await send({ password: 'short', repeated: 'short' });
    expect({ status: short.status, says: short.text.includes('12 characters or more.') }).toEqual({
      status: 422,
      says: true,
    });
    const different = await send({ password: CHOSEN, repeated: 'another long sentence' });
    expect(different.status).toBe(422);
    expect(different.text).toContain('The two passwords are not the same.');
    const set = await send({ password: CHOSEN, repeated: CHOSEN });
    expect(set.status).toBe(200);
    expect(set.text).toContain('<a href="/login">');
    expect([...browser.cookies.keys()]).toEqual(['login']);
    expect((await login(email, CHOSEN)).status).toBe(200);
    expect((await open(token)).page.text).toContain('This link is not valid any more');
    expect((await send({ password: CHOSEN, repeated: CHOSEN })).status).toBe(422);
  });

  it('takes no form from elsewhere', async () => {
    const { email, token } = await invite();
    const { browser, send } = await open(token);
    expect((await send({ csrf_token: 'x', password: CHOSEN, repeated: CHOSEN })).status).toBe(403);
    const stranger = new TestBrowser(api.url);
    expect((await stranger.post('/invitation', { token, password: CHOSEN, repeated: CHOSEN })).status).toBe(403);
    const cross = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.post('/invitation', { token, password: CHOSEN }, cross)).status).toBe(403);
    expectRefusal(await login(email, CHOSEN), 401, 'UNAUTHORIZED');
  });

  it('shows the same page for every wrong link, and counts them', async () => {
    const browser = new TestBrowser(api.url);
    for (let n = 0; n < 10; n += 1) {
      const page = await browser.get(n === 0 ? '/invitation' : `/invitation?token=wrong${String(n)}`);
      expect(page.status).toBe(422);
      expect(page.text).toContain('This link is not valid any more');
    }
    const { token } = await invite();
    expect((await browser.get(`/invitation?token=${token}`)).status).toBe(429);
  });
});

describe('POST /api/v1/auth/forgot-password', () => {
  const forgot = (email: string, address?: string) => post(FORGOT, { email }, address);

  it('mails a link for an hour, by which another password ends all that was signed in', async () => {
    const { id, email, token } = await invite();
    await accept(token);
    const session = (await login(email, CHOSEN)).body.data;
    const answer = await forgot(email.toUpperCase());
    expect(answer.status).toBe(202);
    expect(answer.body.data).toEqual({ accepted: true });
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({ kind: 'password_reset', is_confidential: true });
    const shown = await owner().get(`/api/v1/mails/${String(mail?.mail_id)}`);
    expect(shown.body.data.text_body).toBeNull();
    expect((await login(email, CHOSEN)).status).toBe(200);
    api.clock.advance(3_540);
    const link = tokenIn(mail?.text_body ?? '');
    expect((await new TestBrowser(api.url).get(`/invitation?token=${link}`)).text).toContain('Choose a new password');
    expect((await accept(link, 'quite another sentence')).status).toBe(200);
    expectRefusal(await login(email, CHOSEN), 401, 'UNAUTHORIZED');
    expect((await login(email, 'quite another sentence')).status).toBe(200);
    const refreshed = await post('/api/v1/auth/refresh', { refresh_token: session.refresh_token });
    expectRefusal(refreshed, 401, 'UNAUTHORIZED');
    const actions = (await api.services.system.query(ACTIONS, [String(id)])).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['user.password_reset_requested', 'user.password_reset']);
  });

  it('ends the former link, and its own after the hour', async () => {
    const { email } = await invite();
    await forgot(email);
    await forgot(email);
    const [second, first] = await mailsTo(email);
    expectRefusal(await accept(tokenIn(first?.text_body ?? '')), 401, 'UNAUTHORIZED');
    api.clock.advance(3_600);
    expectRefusal(await accept(tokenIn(second?.text_body ?? '')), 401, 'UNAUTHORIZED');
  });

  it('has one answer for known, unknown and deactivated users, and mails the first only', async () => {
    const left = await invite();
    await owner().patch(`/api/v1/users/${String(left.id)}`, { is_active: false });
    const answers = [
      await forgot(left.email),
      await forgot('nobody@hiring.example'),
      await forgot((await invite()).email),
    ];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, data: body.data }))).size).toBe(1);
    expect((await mailsTo(left.email)).map(({ kind }) => kind)).toEqual(['user_invitation']);
    expect(await mailsTo('nobody@hiring.example')).toEqual([]);
  });

  it('mails 5 an hour to one address, and says nothing of it', async () => {
    const { email } = await invite();
    const answers = await Promise.all(Array.from({ length: 7 }, () => forgot(email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await mailsTo(email)).toHaveLength(6);
    await api.services.system.query(EARLIER);
    await forgot(email);
    expect(await mailsTo(email)).toHaveLength(7);
  });

  it('has a page, which mails the same link and tells as little', async () => {
    const { email } = await invite();
    const browser = new TestBrowser(api.url);
    expect((await browser.get('/login')).text).toContain('<a href="/forgot-password">');
    const page = await browser.get('/forgot-password');
    const send = (fields: Record<string, string>) =>
      browser.post('/forgot-password', { ...fieldsOf(page.text, '/forgot-password'), ...fields });
    expect((await send({ email: 'nobody' })).status).toBe(422);
    expect((await send({ email, csrf_token: 'x' })).status).toBe(403);
    const [known, unknown] = [await send({ email }), await send({ email: 'other@hiring.example' })];
    expect(known.status).toBe(200);
    expect(known.text.replaceAll(email, 'other@hiring.example')).toBe(unknown.text);
    expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(['password_reset', 'user_invitation']);
  });

  it('refuses a network address that asks for more than 20 in an hour', async () => {
    const ask = (n: number) => forgot(`nobody${String(n)}@hiring.example`, '203.0.113.99');
    await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)));
    const refused = await ask(21);
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  });
});
