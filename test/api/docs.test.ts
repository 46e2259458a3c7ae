import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { PAGE_GROUPS } from '../../api/docs/pages.ts';
import { actions, operations } from '../../api/registry.ts';
import { CHANGES, FIRST_VERSION } from '../../api/versions.ts';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import { codeBlocks, curlCalls } from '../docs/code-blocks.ts';
import { anchorsOf, linksOf } from '../docs/html.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const FILES = PAGE_GROUPS.flatMap(({ pages }) => pages);
const PATHS = [
  ...FILES.map(({ path }) => path),
  '/docs/actions',
  '/docs/errors',
  ...Object.keys(ERROR_STATUS).map((code) => `/docs/errors/${code}`),
  '/docs/search?q=webhook',
];

let api: ApiFixture;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const open = (path: string): Promise<Response> => api.http().get(path);

describe('a page', () => {
  it.each(PATHS)('%s has a title and one h1, and lets nothing inline run', async (path) => {
    const page = await open(path);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toMatch(/<title>[^<]+<\/title>/);
    expect(page.text.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe|script-src/);
    expect(page.text).not.toMatch(/<script|<style| style=| on\w+=/);
    expect(page.text).not.toContain('{base_url}');
  });

  it.each(Object.keys(ERROR_STATUS))('is opened by documentation_url of %s', async (code) => {
    expect((await open(`/docs/errors/${code}`)).text).toContain(`<h1>${code}</h1>`);
  });

  it('is kept by its ETag: 304 for who has it', async () => {
    const first = await open('/docs/guides/webhooks');
    expect(first.headers['cache-control']).toBe('public, max-age=60');
    const etag = String(first.headers['etag']);
    const again = await open('/docs/guides/webhooks').then(() =>
      api.http().get('/docs/guides/webhooks').set('If-None-Match', etag),
    );
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  it('answers HEAD, sends a trailing slash to the page itself, and / to the home', async () => {
    const head = await api.http().head('/docs/guides/errors');
    expect(head.status).toBe(200);
    expect(head.text).toBeUndefined();
    const slash = await open('/docs/');
    expect([slash.status, slash.headers['location']]).toEqual([301, '/docs']);
    const root = await open('/');
    expect([root.status, root.headers['location']]).toEqual([302, '/docs']);
  });

  it('that does not exist is 404 in the envelope, another method 405', async () => {
    for (const path of ['/docs/guides/nope', '/docs/errors/toString', '/docs/../README.md']) {
      expectRefusal(await open(path), 404, 'NOT_FOUND');
    }
    const asJson = api.http().get('/docs/guides/nope').set('Accept', 'application/json, text/html;q=0.9');
    expectRefusal(await asJson, 404, 'NOT_FOUND');
    const posted = await api.http().post('/docs/guides/errors');
    expectRefusal(posted, 405, 'METHOD_NOT_ALLOWED');
    expect(posted.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it('that does not exist is a page for a browser, with the search filled in', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const visit = (path: string): Promise<Response> => Promise.resolve(api.http().get(path).set('Accept', accept));
    const page = await visit('/docs/guides/web-hooks%22%3E%3Cscript%3E');
    expect(page.status).toBe(404);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['vary']).toContain('Accept');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toContain('<h1>Page not found</h1>');
    expect(page.text).toContain('value="web hooks 22 3E 3Cscript 3E"');
    expect(linksOf(page.text)).toContain('/docs/guides/webhooks');
    expect((await api.http().head('/docs/nope').set('Accept', accept)).status).toBe(404);
  });

  it('sends /docs/guides to the home, which lists them', async () => {
    for (const path of ['/docs/guides', '/docs/guides/']) {
      const moved = await open(path);
      expect([moved.status, moved.headers['location']]).toEqual([302, '/docs']);
    }
  });

  it('can be used by keyboard and screen reader: skip link, landmarks, labelled search', async () => {
    const { text } = await open('/docs');
    expect(text.indexOf('href="#content"')).toBeLessThan(text.indexOf('<header>'));
    expect(text).toMatch(/<main id="content" tabindex="-1">/);
    expect(text).toMatch(/<nav aria-label="Documentation">/);
    expect(text).toMatch(/<label [^>]*for="q">/);
    expect(text).toMatch(/<a href="\/docs" aria-current="page">/);
    expect(text).toMatch(/<meta name="viewport" content="width=device-width, initial-scale=1">/);
  });

  it('has a style sheet of its own, kept for long under its versioned address, with dark colours', async () => {
    const href = /href="(\/docs\/style\.css\?v=[^"]+)"/.exec((await open('/docs')).text)?.[1] ?? '';
    const style = await open(href);
    expect(style.status).toBe(200);
    expect(style.headers['content-type']).toMatch(/^text\/css/);
    expect(style.headers['cache-control']).toContain('immutable');
    expect(style.text).toContain('prefers-color-scheme: dark');
  });
});

describe('links', () => {
  it('of every page lead to a page of ours, and to an anchor that is on it', async () => {
    const pages = new Map<string, Response>();
    const fetched = async (path: string): Promise<Response> => {
      const page = pages.get(path) ?? (await open(path));
      pages.set(path, page);
      return page;
    };
    const broken: string[] = [];
    let checked = 0;
    for (const from of PATHS) {
      for (const href of linksOf((await fetched(from)).text)) {
        const target = new URL(href, `${api.url}${from}`);
        if (target.origin !== api.url) continue;
        checked += 1;
        const to = await fetched(`${target.pathname}${target.search}`);
        const anchor = decodeURIComponent(target.hash.slice(1));
        // The reference draws its own anchors, from names that the OpenAPI test checks.
        const missing = anchor !== '' && target.pathname !== '/docs/reference' && !anchorsOf(to.text).has(anchor);
        if (to.status !== 200 || missing) broken.push(`${from}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(500);
  });

  it('of the home reach every page within one step', async () => {
    const links = new Set(linksOf((await open('/docs')).text));
    for (const { path } of FILES) expect(links).toContain(path);
    for (const path of ['/docs/reference', '/docs/actions', '/docs/errors']) expect(links).toContain(path);
  });
});

describe('the search', () => {
  const search = (query: string): Promise<Response> => open(`/docs/search?q=${encodeURIComponent(query)}`);
  const hits = (page: Response): string[] =>
    [...page.text.matchAll(/<li><a href="([^"]+)">[^<]*<\/a><p>/g)].map(([, href]) => href!);

  it.each([
    ['X-Service-Signature', '/docs/guides/webhooks#'],
    ['idempotancy', '/docs/guides/idempotency'],
    ['TIER_RESTRICTED', '/docs/errors/TIER_RESTRICTED'],
    ['create-work-item', '/docs/actions#create-work-item'],
    ['rotate key', '/docs/guides/authentication#rotating-a-key'],
    ['sunset', '/docs/guides/versioning#deprecation'],
    ['create a webhook', '/docs/reference#/Outbound%20webhooks/create-webhook'],
  ])('finds %s', async (query, expected) => {
    expect(hits(await search(query)).slice(0, 5)).toContainEqual(expect.stringContaining(expected));
  });

  it('shows what was asked for as text, whatever it was', async () => {
    for (const hostile of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "'&amp;</title>",
      '\u0000\uD800',
    ]) {
      const page = await open(
        `/docs/search?q=${hostile === '\u0000\uD800' ? '%00%ED%A0%80' : encodeURIComponent(hostile)}`,
      );
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/<script|<img|<\/title>.*<\/title>/s);
    }
    expect((await search('<b>work</b> items')).text).toContain('value="&lt;b&gt;work&lt;/b&gt; items"');
  });

  it('says so where nothing is asked or found, and cuts what is too long', async () => {
    expect((await open('/docs/search')).text).toContain('Type a word');
    expect((await open('/docs/search?q=a&q=b')).status).toBe(200);
    expect((await search('zzzzqqqq')).text).toContain('Nothing was found');
    expect((await search('x'.repeat(5_000))).text.length).toBeLessThan(10_000);
  });

  it('is not kept by caches', async () => {
    expect((await search('keys')).headers['cache-control']).toBe('no-store');
  });
});

describe('the reference', () => {
  it('opens with its script and style from here, without inline scripts', async () => {
    const page = await open('/docs/reference');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/<script>/);
    expect(linksOf(page.text)).toContain('/docs');
    for (const path of ['/docs/assets/swagger-ui-bundle.js', '/docs/assets/swagger-ui.css', '/docs/reference.js']) {
      expect((await open(path)).status).toBe(200);
    }
  });
});

describe('what is dated', () => {
  it('has its place in the changelog: every version, newest first, in the words of its change', async () => {
    const { text: html } = await open('/docs/changelog');
    const headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(headings).toEqual([...CHANGES.map(({ version }) => version), FIRST_VERSION]);
    const text = html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
    for (const { description } of CHANGES) expect(text).toContain(description.replaceAll('`', ''));
  });

  it('has its place in the migration guide, where the headers of a deprecated operation lead', async () => {
    const deprecated = operations.filter(({ deprecation }) => deprecation !== undefined);
    expect(deprecated).not.toEqual([]);
    for (const { name, deprecation } of deprecated) {
      const [path = '', anchor = ''] = deprecation!.guide.split('#');
      const page = await open(path);
      expect(page.status).toBe(200);
      expect(anchorsOf(page.text)).toContain(anchor);
      expect(page.text).toContain(`<code>${name}</code></td>\n<td>${deprecation!.since}</td>`);
      expect(page.text).toContain(deprecation!.replacement);
    }
  });
});

describe('code samples', () => {
  it.each(FILES.map(({ file }) => file))('%s calls only what /openapi.json knows', async (file) => {
    const { paths } = (await open('/openapi.json')).body as { paths: Record<string, Record<string, unknown>> };
    const known = Object.entries(paths).map(([path, item]) => ({
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      methods: Object.keys(item),
    }));
    const unknown = curlCalls(file).filter(
      ({ method, path }) => !known.some(({ pattern, methods }) => pattern.test(path) && methods.includes(method)),
    );
    expect(unknown).toEqual([]);
  });

  it('are there at all: the quick start walks from the sign-in to a document', () => {
    const calls = curlCalls('docs/guides/quick-start.md').map(({ method, path }) => `${method} ${path}`);
    expect(calls).toEqual([
      'post /api/v1/auth/login',
      'post /api/v1/integrations/api-keys',
      'post /api/v1/public/data',
      'post /api/v1/public/data',
      'post /api/v1/vision/extract',
    ]);
  });

  it('name actions that exist, and JSON that parses', () => {
    for (const { file } of FILES) {
      for (const { language, code } of codeBlocks(file)) {
        if (language === 'json') expect(() => JSON.parse(code) as unknown).not.toThrow();
        if (language === 'diff') continue;
        for (const [, action] of code.matchAll(/"(?:action|name)": "([a-z]+(?:-[a-z]+)+)"/g)) {
          expect([file, [...actions.keys()]]).toEqual([file, expect.arrayContaining([action])]);
        }
      }
    }
  });
});
