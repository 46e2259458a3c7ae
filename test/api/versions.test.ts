import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deprecationPhase } from '../../api/deprecation.ts';
import { CHANGES, CURRENT_VERSION, FIRST_VERSION } from '../../api/versions.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const DATA = '/api/v1/public/data';

let api: ApiFixture;
let key: string;
let itemId: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.acme.key();
  const created = await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'versioned' });
  itemId = created.body.data.work_item_id;
});
afterAll(() => api.close());

const get = (version?: string) => {
  const request = api.http().post(DATA).set('X-API-Key', key);
  if (version !== undefined) void request.set('X-API-Version', version);
  return request.send({ action: 'get-work-item', work_item_id: itemId });
};

describe('X-API-Version', () => {
  it('without it the current version answers, and says so in header and meta', async () => {
    const answer = await get();
    expect(answer.headers['x-api-version']).toBe('2026-07-01');
    expect(answer.body.meta.api_version).toBe('2026-07-01');
    expect(answer.body.data).toHaveProperty('assigned_contractors', []);
  });

  it('an older version gets the answer as it was before the dated change of 2026-07-01', async () => {
    for (const version of [FIRST_VERSION, '2026-06-30']) {
      const answer = await get(version);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-api-version']).toBe(version);
      expect(answer.body.meta.api_version).toBe(version);
      expect(answer.body.data).not.toHaveProperty('assigned_contractors');
      expect(answer.body.data).toHaveProperty('assigned_users');
    }
  });

  it('holds in a batch and in MCP too', async () => {
    const batch = await api
      .http()
      .post(`${DATA}/batch`)
      .set({ 'X-API-Key': key, 'X-API-Version': FIRST_VERSION })
      .send({ operations: [{ action: 'get-work-item', params: { work_item_id: itemId } }] });
    expect(batch.body.data.results[0].data).not.toHaveProperty('assigned_contractors');
    const call = await api
      .http()
      .post('/api/v1/public/mcp')
      .set({ 'X-API-Key': key, 'X-API-Version': FIRST_VERSION })
      .send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get-work-item', arguments: { work_item_id: itemId } },
      });
    expect(call.body.result.structuredContent.data).not.toHaveProperty('assigned_contractors');
  });

  it.each(['2026-7-1', 'latest', '2026-13-01', '2026-02-30', '2027-01-01', '2025-12-31', ''])(
    'refuses %p with 400 VALIDATION_ERROR',
    async (version) => {
      const answer = await get(version);
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details[0].field).toBe('X-API-Version');
      expect(answer.headers['x-api-version']).toBe(CURRENT_VERSION);
    },
  );

  it('the dated changes stand newest first', () => {
    const versions = CHANGES.map(({ version }) => version);
    expect(versions).toEqual([...versions].sort().reverse());
    expect(versions[0]).toBe(CURRENT_VERSION);
  });
});

describe('a deprecated action', () => {
  const old = { action: 'get-work-items' };
  /** Moves the clock of the API to a day, for one call. */
  async function on<T>(day: string, call: () => Promise<T>): Promise<T> {
    const seconds = Math.round((Date.parse(day) - api.clock.now()) / 1000);
    api.clock.advance(seconds);
    try {
      return await call();
    } finally {
      api.clock.advance(-seconds);
    }
  }
  const warnings = () => api.logLines.filter((line) => line.includes('deprecated operation')).length;

  it('is active for six months: it answers as the new one does, with Deprecation, Sunset and Link', async () => {
    const before = warnings();
    const answer = await on('2026-11-21', () => api.act(key, old));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      deprecation: 'true',
      sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
      link: expect.stringMatching(/^<\/docs\/migrations\/v1-to-v2[^>]*>; rel="deprecation"/),
    });
    expect(answer.body.data.work_items).toHaveLength(1);
    expect(warnings()).toBe(before);
    expect((await api.act(key, { action: 'list-work-items' })).headers['deprecation']).toBeUndefined();
  });

  it('carries the headers on a refusal as well', async () => {
    const answer = await on('2026-11-21', () => api.act(key, { ...old, limit: 0 }));
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.headers['deprecation']).toBe('true');
  });

  it('is in its warning phase from six to twelve months: headers kept, each use logged', async () => {
    const before = warnings();
    const answer = await on('2027-03-01', () => api.act(key, old));
    expect(answer.status).toBe(200);
    expect(answer.headers['sunset']).toBe('Thu, 01 Jul 2027 00:00:00 GMT');
    expect(warnings()).toBe(before + 1);
  });

  it('is 410 GONE after twelve months, with the migration guide, and no catalogue lists it', async () => {
    const answer = await on('2027-07-02', () => api.act(key, old));
    expectRefusal(answer, 410, 'GONE');
    expect(answer.body.error.migration_guide_url).toBe(`${api.url}/docs/migrations/v1-to-v2#get-work-items`);
    expect(answer.body.error.message).toContain('list-work-items');
    const listed = await on('2027-07-02', () => api.http().get(DATA).set('X-API-Key', key));
    expect(listed.body.data.available_actions.map((entry: { action: string }) => entry.action)).not.toContain(
      'get-work-items',
    );
  });

  it('shows in discovery with its sunset', async () => {
    const listed = await on('2026-11-21', () => api.http().get(DATA).set('X-API-Key', key));
    const entries = listed.body.data.available_actions as { action: string; deprecated: boolean; sunset?: string }[];
    expect(entries.find(({ action }) => action === 'get-work-items')).toMatchObject({
      deprecated: true,
      sunset: '2027-07-01',
    });
    expect(entries.find(({ action }) => action === 'list-work-items')).toMatchObject({ deprecated: false });
  });

  it('its migration guide exists', async () => {
    const page = await api.http().get('/docs/migrations/v1-to-v2');
    expect(page.status).toBe(200);
    expect(page.text).toContain('id="get-work-items"');
  });
});

describe('deprecationPhase', () => {
  it.each([
    ['2026-06-30T23:59:59Z', undefined],
    ['2026-07-01T00:00:00Z', 'active'],
    ['2026-12-31T23:59:59Z', 'active'],
    ['2027-01-01T00:00:00Z', 'warning'],
    ['2027-06-30T23:59:59Z', 'warning'],
    ['2027-07-01T00:00:00Z', 'sunset'],
  ])('at %s: %s', (at, phase) => {
    expect(deprecationPhase('2026-07-01', Date.parse(at))).toBe(phase);
  });
});
