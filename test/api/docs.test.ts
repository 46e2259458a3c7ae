import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('the pages', () => {
  it('opens the reference, its script and its style from here, without inline scripts', async () => {
    const page = await api.http().get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/<script>/);
    for (const path of ['/docs/assets/swagger-ui-bundle.js', '/docs/assets/swagger-ui.css', '/docs/reference.js']) {
      expect((await api.http().get(path)).status).toBe(200);
    }
  });

  it.each(Object.keys(ERROR_STATUS))('opens the page that documentation_url of %s names', async (code) => {
    const page = await api.http().get(`/docs/errors/${code}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<h1>${code}</h1>`);
  });

  it('answers 404 for the page of a code that does not exist', async () => {
    expect((await api.http().get('/docs/errors/toString')).status).toBe(404);
  });
});
