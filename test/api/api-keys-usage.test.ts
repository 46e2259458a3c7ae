import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { KeyUsage } from '../../domain/keys/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { KeyManager } from './api-keys-support.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const HOUR = 3_600;

let api: ApiFixture;
let keys: KeyManager;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyManager(api, api.acme);
});
afterAll(() => api.close());

async function usageOf(id: number): Promise<{ last_used_at: string | null; usage_stats: Record<string, number> }> {
  await api.services.keyUsage.flush();
  return (await keys.get(id)).body.data;
}

describe('usage', () => {
  it('counts every request that authenticated, a batch as one, and none that did not', async () => {
    const { id, key } = await keys.make({ allowed_ips: ['198.51.100.0/24'] });
    const before = api.clock.now();
    await keys.read(key);
    await api.act(key, { action: 'no-such-action' });
    await api
      .http()
      .post('/api/v1/public/data')
      .set({ 'X-API-Key': key, 'X-Forwarded-For': '198.51.100.9' })
      .send({ action: 'create-work-item' });
    await api
      .http()
      .post('/api/v1/public/data/batch')
      .set({ 'X-API-Key': key, 'X-Forwarded-For': '198.51.100.9' })
      .send({ operations: [{ action: 'list-work-items' }, { action: 'list-work-items' }] });
    expect((await keys.read(key, '203.0.113.9')).status).toBe(403);
    const { last_used_at, usage_stats } = await usageOf(id);
    expect(usage_stats).toEqual({ total_requests: 3, requests_24h: 3, requests_7d: 3 });
    expect(Date.parse(last_used_at!)).toBeGreaterThanOrEqual(before);
  });

  it('counts by the last 24 hours, the last 7 days and ever', async () => {
    const { id, key } = await keys.make();
    await keys.read(key);
    await api.services.keyUsage.flush();
    api.clock.advance(25 * HOUR);
    await keys.read(key);
    await keys.read(key);
    expect((await usageOf(id)).usage_stats).toEqual({ total_requests: 3, requests_24h: 2, requests_7d: 3 });
    api.clock.advance(6 * 24 * HOUR);
    expect((await usageOf(id)).usage_stats).toEqual({ total_requests: 3, requests_24h: 0, requests_7d: 2 });
  });

  it('writes nothing for a request of its own', async () => {
    const { key } = await keys.make();
    await keys.read(key);
    const query = jest.spyOn(api.services.system, 'transaction');
    try {
      for (let n = 0; n < 20; n += 1) await keys.read(key);
      expect(query.mock.calls).toHaveLength(0);
    } finally {
      query.mockRestore();
    }
  });

  it('keeps the counts of a flush that failed for the next', async () => {
    const { id, key } = await keys.make();
    await keys.read(key);
    const transaction = jest.spyOn(api.services.system, 'transaction').mockRejectedValueOnce(new Error('away'));
    try {
      await api.services.keyUsage.flush();
      expect((await keys.get(id)).body.data.usage_stats.total_requests).toBe(0);
    } finally {
      transaction.mockRestore();
    }
    await keys.read(key);
    expect((await usageOf(id)).usage_stats.total_requests).toBe(2);
    expect(api.logLines.join('\n')).toContain('the use of API keys could not be written');
  });

  it('adds up what several processes write at the same time, and what is left at the end', async () => {
    const { id } = await keys.make();
    const other = await keys.make();
    const { system, log } = api.services;
    const processes = Array.from({ length: 4 }, () => new KeyUsage({ system, log }));
    const now = api.clock.now();
    for (const [index, usage] of processes.entries()) {
      for (let n = 0; n < 50; n += 1) usage.note(n % 2 === index % 2 ? id : other.id, api.acme.clientId, now + n);
    }
    await Promise.all(processes.map((usage) => usage.close()));
    expect((await usageOf(id)).usage_stats.total_requests).toBe(100);
    expect((await usageOf(other.id)).usage_stats.total_requests).toBe(100);
    const rows = statement('select minute from api_key_usage where api_key_id = $1');
    expect((await system.query(rows, [id])).length).toBeLessThanOrEqual(2);
  });

  it('stays bounded while nothing can be written, and loses no request', async () => {
    const { id } = await keys.make();
    const { system, log } = api.services;
    const usage = new KeyUsage({ system, log });
    const minutes = 60_000;
    const start = api.clock.now() - minutes * 60_000;
    for (let n = 0; n < minutes; n += 1) usage.note(id, api.acme.clientId, start + n * 60_000);
    await usage.close();
    const rows = statement('select count(*) as count from api_key_usage where api_key_id = $1');
    const [row] = await system.query<{ count: number }>(rows, [id]);
    expect(row!.count).toBeLessThanOrEqual(10_001);
    expect((await usageOf(id)).usage_stats.total_requests).toBe(minutes);
  });
});
