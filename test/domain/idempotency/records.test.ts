import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { entities } from '../../../domain/entities.ts';
import { keepAnswer, readKept, takeKey } from '../../../domain/idempotency/index.ts';
import type { KeyedRequest } from '../../../domain/idempotency/index.ts';
import { createVault } from '../../../platform/crypto.ts';
import { TenantDatabase } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

const CLIENT = 1;
const deps = { vault: createVault(randomBytes(32).toString('base64')), now: Date.now() };
const answer = { status: 200, answer: { data: 'first' } };

let database: TestDatabase;
let tenants: TenantDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const options = { poolSize: 4, applicationName: 'test', entities, log: createLogger('test', 'silent') };
  tenants = new TenantDatabase({ ...options, url: database.appUrl });
});
afterAll(async () => {
  await tenants.close();
  await database.drop();
});

function request(key: string, changes: Partial<KeyedRequest> = {}): KeyedRequest {
  const fingerprint = Buffer.alloc(32, 1);
  return { clientId: CLIENT, key, part: '', principal: 'user:1', fingerprint, requestId: randomUUID(), ...changes };
}

const take = (wanted: KeyedRequest) => tenants.transaction(CLIENT, (tx) => takeKey(tx, wanted, deps));
const read = (wanted: KeyedRequest) => readKept(tenants.reader(CLIENT), wanted, deps);

async function keep(kept: KeyedRequest): Promise<void> {
  await tenants.transaction(CLIENT, async (tx) => {
    expect(await takeKey(tx, kept, deps)).toBeUndefined();
    keepAnswer(tx, kept, answer, deps);
  });
}

describe('takeKey', () => {
  it('is CONFLICT while another transaction that has no answer yet holds the key', async () => {
    await tenants.transaction(CLIENT, async (tx) => {
      await takeKey(tx, request('held'), deps);
      await expect(take(request('held'))).rejects.toMatchObject({ code: 'CONFLICT', retryAfterSeconds: 1 });
    });
  });

  it('gives a kept answer to several at once', async () => {
    const first = request('kept');
    await keep(first);
    await tenants.transaction(CLIENT, async (tx) => {
      await takeKey(tx, request('kept'), deps);
      expect(await take(request('kept'))).toEqual({ requestId: first.requestId, ...answer });
    });
  });
});

describe('readKept', () => {
  it('gives the answer without taking the key', async () => {
    const first = request('read');
    expect(await read(first)).toBeUndefined();
    await keep(first);
    expect(await read(request('read'))).toEqual({ requestId: first.requestId, ...answer });
  });

  it.each<[string, Partial<KeyedRequest>]>([
    ['caller', { principal: 'user:2' }],
    ['request', { fingerprint: Buffer.alloc(32, 2) }],
  ])('leaves the key of another %s to takeKey, which refuses', async (what, changes) => {
    await keep(request(what));
    expect(await read(request(what, changes))).toBeUndefined();
    await expect(take(request(what, changes))).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('knows no answer older than 24 hours', async () => {
    await keep(request('old'));
    expect(await readKept(tenants.reader(CLIENT), request('old'), { ...deps, now: deps.now + 86_400_001 })).toBe(
      undefined,
    );
  });
});
