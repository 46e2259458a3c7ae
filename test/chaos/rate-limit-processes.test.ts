import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { PlatformProcesses } from './platform-processes.ts';

const PROCESSES = 4;
const CONNECTIONS = 16;

let platform: PlatformProcesses;
let apis: SpawnedProcess[];
const agent = new Agent({ connections: CONNECTIONS });
beforeAll(async () => {
  platform = await PlatformProcesses.create();
  apis = await Promise.all(Array.from({ length: PROCESSES }, () => platform.startApi()));
});
afterAll(async () => {
  await agent.destroy();
  await platform.close();
});

async function keyOf(limit: number): Promise<string> {
  const { tenant } = platform;
  const input = CreateApiKey.parse({
    key_name: `limit ${String(limit)}`,
    permissions: { '*': true },
    rate_limit_per_minute: limit,
  });
  const { apiKey } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
    createApiKey(tx, tenant.caller, input, { vault: tenant.vault, now: Date.now() }),
  );
  return apiKey;
}

/** The statuses of `count` requests to one process, over a few connections. */
async function statuses(api: SpawnedProcess, key: string, count: number): Promise<number[]> {
  const seen: number[] = [];
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const answer = await agent.request({
        origin: api.url,
        path: '/api/v1/public/data',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: '{"action":"nope"}',
      });
      await answer.body.dump();
      seen.push(answer.statusCode);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return seen;
}

describe('a key’s limit over four API processes', () => {
  it.each([100, 600])(
    'of %d a minute: ten times as many requests, and no more than 5%% too many get through',
    async (limit) => {
      const key = await keyOf(limit);
      const startedAt = Date.now();
      const answers = await Promise.all(apis.map((api) => statuses(api, key, (limit * 10) / PROCESSES)));
      const all = answers.flat();
      const admitted = all.filter((status) => status === 400).length;
      expect(all.filter((status) => status === 429)).toHaveLength(limit * 10 - admitted);
      // All within one window, or the test would have proved nothing.
      expect(Date.now() - startedAt).toBeLessThan(55_000);
      expect(admitted).toBeLessThanOrEqual(limit * 1.05);
      expect(admitted).toBeGreaterThanOrEqual(limit * 0.95);
    },
  );
});
