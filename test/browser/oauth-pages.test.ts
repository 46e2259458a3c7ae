import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { authorizePath, registerApplication } from '../api/oauth-pages-support.ts';
import type { TestApplication } from '../api/oauth-pages-support.ts';
import { PASSWORD, startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { actingAs } from '../api/users-support.ts';
import {
  browserPath,
  contrastProblems,
  focusedControl,
  launchBrowser,
  screenshot,
  startCallbackListener,
  structureProblems,
} from './support.ts';
import type { CallbackListener } from './support.ts';

const OWNER = 'owner@acme.example';
const inBrowser = browserPath === undefined ? describe.skip : describe;

inBrowser('the OAuth pages in Chromium', () => {
  let api: ApiFixture;
  let browser: Browser;
  let listener: CallbackListener;
  let app: TestApplication;
  beforeAll(async () => {
    [api, browser, listener] = await Promise.all([startApi(), launchBrowser(), startCallbackListener()]);
    app = await registerApplication(api, api.acme, {
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: ['openid', 'profile', 'email', 'work_items:read', 'work_items:write', 'invoices:read'],
    });
  });
  afterAll(async () => {
    await browser.close();
    await listener.close();
    await api.close();
  });

  let context: BrowserContext;
  let complaints: string[];
  beforeEach(() => {
    listener.calls.length = 0;
    complaints = [];
  });
  afterEach(async () => {
    await context.close();
    // What Chromium's console says: a blocked resource, a refused redirect, a broken policy.
    // eslint-disable-next-line jest/no-standalone-expect -- of every test alike
    expect(complaints).toEqual([]);
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    await page.goto(start());
    return page;
  }

  const start = (changes: Record<string, string> = {}): string =>
    api.url +
    authorizePath(app, {
      redirect_uri: listener.url,
      scope: 'openid profile email work_items:read work_items:write',
      ...changes,
    });

  async function invitation(email: string): Promise<string> {
    const input = { email, given_name: 'Zanele', family_name: 'Dlamini' };
    return (await actingAs(api, api.acme).post('/api/v1/users', input)).body.invitation_url as string;
  }

  async function logIn(page: Page, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(OWNER);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  function expectCode(): void {
    expect(listener.calls.map((query) => Object.fromEntries(query))).toEqual([
      { code: expect.stringMatching(/^svc_ac_/), state: 'xyz', iss: api.url },
    ]);
  }

  it.each([
    ['with scripts on', true],
    ['with scripts off', false],
  ])('bring the code to the application: login, consent, approve, %s', async (_what, javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    await logIn(page);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/Allow\s+Field Notes/);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back again' }).waitFor();
    expectCode();
  });

  it('bring a denial to the application, and ask for no second login', async () => {
    const page = await open();
    await logIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Back again' }).waitFor();
    expect(listener.calls[0]!.get('error')).toBe('access_denied');
    await page.goto(start());
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back again' }).waitFor();
    expect(listener.calls[1]!.get('code')).toMatch(/^svc_ac_/);
  });

  it('are used by keyboard alone, from the first field on, with the focus in sight', async () => {
    const page = await open();
    expect(await focusedControl(page)).toEqual({ name: 'email', outline: 'solid' });
    await page.keyboard.type(OWNER);
    await page.keyboard.press('Tab');
    expect(await focusedControl(page)).toEqual({ name: 'password', outline: 'solid' });
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focusedControl(page)).toEqual({ name: 'decision', outline: 'solid' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Back again' }).waitFor();
    expectCode();
  });

  it('say what was wrong with a login, in an alert that the fields refer to', async () => {
    const page = await open();
    await logIn(page, 'wrong');
    expect(await page.getByRole('alert').textContent()).toBe('The e-mail address or the password is wrong.');
    expect(await page.getByLabel('E-mail address').getAttribute('aria-describedby')).toBe('error');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(OWNER);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await screenshot(page, 'oauth-login-refused');
    await logIn(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  });

  it.each([
    ['with scripts on', true],
    ['with scripts off', false],
  ])('lead somebody who is invited to a password and the first sign-in, %s', async (_what, javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    const email = `invited-${String(javaScriptEnabled)}@acme.example`;
    await page.goto(await invitation(email));
    expect(await focusedControl(page)).toEqual({ name: 'password', outline: 'solid' });
    await page.getByLabel('Password').fill('a long sentence is easy');
    await page.getByLabel('The same again').fill('a long sentence is not');
    await page.getByRole('button', { name: 'Set the password' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The two passwords are not the same.');
    await page.getByLabel('Password').fill('a long sentence is easy');
    await page.getByLabel('The same again').fill('a long sentence is easy');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('a long sentence is easy');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  });

  it('let another user take over at the consent page', async () => {
    const page = await open();
    await logIn(page);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await logIn(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back again' }).waitFor();
    expectCode();
  });

  it.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1280, height: 800 } }],
    ['desktop-dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 320, height: 568 } }],
  ])('have labels, landmarks, contrast and no sideways scroll: %s', async (name, options) => {
    const page = await open(options);
    const look = async (what: string): Promise<void> => {
      expect([...(await structureProblems(page)), ...(await contrastProblems(page))]).toEqual([]);
      await screenshot(page, `oauth-${what}-${name}`);
    };
    await look('login');
    await logIn(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    await look('consent');
    await page.goto(start({ redirect_uri: 'https://evil.example/callback' }));
    await look('error');
    await page.goto(`${api.url}/logout`);
    await look('logout');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await look('signed-out');
    await page.goto(`${api.url}/invitation?token=unknown`);
    await look('invitation-over');
    await page.goto(await invitation(`${name}@acme.example`));
    await look('invitation');
    await page.goto(`${api.url}/forgot-password`);
    await look('forgot-password');
  });
});
