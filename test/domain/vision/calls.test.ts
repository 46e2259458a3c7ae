import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../domain/contracts/caller.ts';
import type { VisionOperation } from '../../../domain/contracts/vision-requests.ts';
import {
  book,
  completeRequest,
  eraseRequest,
  failRequest,
  holdResult,
  openRequest,
  startRequest,
} from '../../../domain/vision/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';
import { Tenant } from '../../worker/tenant.ts';

const TRIAL = 30;
const JOBS = 3;
const LIMIT = statement(`update clients set document_ai_concurrent_jobs = $2 where id = $1`);
const ENTRIES = statement(`
  select reference, step, amount::float8 as amount, balance_after::float8 as balance_after
  from credit_entries where client_id = $1 order by id`);
const CALLS = statement(`
  select request_id, status, is_async, admitted_at is not null as is_admitted, credits_used::float8 as credits_used,
    environment from vision_requests where client_id = $1 order by id`);
const CRASH = new Error('killed before the commit');

interface Entry extends Record<string, unknown> {
  reference: string;
  step: string;
  amount: number;
  balance_after: number;
}

interface CallRecord extends Record<string, unknown> {
  request_id: string;
  status: string;
  is_async: boolean;
  is_admitted: boolean;
  credits_used: number;
  environment: string;
}

/** What happens to one call, in any order, some of it at once with others and some of it killed before its commit. */
const ACTS = ['open', 'start', 'complete', 'fail', 'delete'] as const;

interface Act {
  call: number;
  act: (typeof ACTS)[number];
  copies: number;
  crashes: boolean;
}

interface Plan {
  operation: VisionOperation;
  isAsync: boolean;
  isSandbox: boolean;
  pages: number;
}

const plan = fc.record({
  operation: fc.constantFrom<VisionOperation>('extract', 'classify', 'split', 'crop'),
  isAsync: fc.boolean(),
  isSandbox: fc.constantFrom(false, false, false, true),
  pages: fc.integer({ min: 1, max: 14 }),
});
const act = fc.record({
  call: fc.nat({ max: 5 }),
  act: fc.constantFrom(...ACTS),
  copies: fc.integer({ min: 1, max: 2 }),
  crashes: fc.constantFrom(false, false, true),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Six calls of one client, and what the code under test makes of acts upon them. */
class Calls {
  readonly tenant: Tenant;
  readonly ids = Array.from({ length: 6 }, () => randomUUID());
  readonly #plans: readonly Plan[];

  constructor(tenant: Tenant, plans: readonly Plan[]) {
    this.tenant = tenant;
    this.#plans = plans;
  }

  /** Refusals (out of credits, not found) and crashes are part of the game; anything else fails the test. */
  async perform({ call, act: name, crashes }: Act): Promise<void> {
    try {
      await this.#perform(call, name, crashes);
    } catch (error) {
      const { code } = error as { code?: string };
      if (error !== CRASH && code !== 'UNPROCESSABLE_ENTITY' && code !== 'NOT_FOUND') throw error;
    }
  }

  async #perform(call: number, name: Act['act'], crashes: boolean): Promise<void> {
    const { tenant } = this;
    const { clientId } = tenant;
    const requestId = this.ids[call] ?? '';
    const { operation, isAsync, isSandbox, pages } = this.#plans[call] ?? this.#plans[0]!;
    const caller: Caller = isSandbox ? { ...tenant.caller, isSandbox: true } : tenant.caller;
    const now = Date.now();
    const db = crashes ? crashing(tenant) : tenant.tenants;
    const answer = operation === 'split' ? { documents: Array.from({ length: pages }, () => ({})) } : { fields: {} };
    switch (name) {
      case 'open': {
        const request = { requestId, operation, options: {}, sourceBlob: 'none', isAsync, now };
        await db.transaction(clientId, (tx) => openRequest(tx, caller, request));
        return;
      }
      case 'start':
        await startRequest(db, clientId, requestId, pages);
        return;
      case 'complete':
        await completeRequest(db, clientId, requestId, answer, now);
        return;
      case 'fail':
        await failRequest(db, clientId, requestId, { code: 'BROKEN', message: 'broken' }, now);
        return;
      case 'delete':
        await db.transaction(clientId, (tx) => eraseRequest(tx, caller, requestId));
    }
  }
}

/** The client's database, in which every transaction dies at its end. */
function crashing({ tenants }: Tenant): typeof tenants {
  const transaction = <T>(clientId: number, work: (tx: TenantTransaction) => Promise<T>): Promise<T> =>
    tenants.transaction(clientId, async (tx) => {
      await work(tx);
      throw CRASH;
    });
  return new Proxy(tenants, {
    get: (target, name) => (name === 'transaction' ? transaction : (Reflect.get(target, name) as unknown)),
  });
}

async function expectExact({ tenant }: Calls): Promise<void> {
  const parameters = [tenant.clientId];
  const entries = await tenant.system.query<Entry>(ENTRIES, parameters);
  const calls = await tenant.system.query<CallRecord>(CALLS, parameters);
  let balance = 0;
  for (const { amount, balance_after } of entries) {
    balance = Math.round((balance + amount) * 100) / 100;
    expect(balance_after).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  expect(new Set(entries.map(({ reference, step }) => `${reference}/${step}`)).size).toBe(entries.length);
  for (const { request_id: id, status, credits_used: used, environment } of calls) {
    const taken = -entries.filter(({ reference }) => reference === id).reduce((sum, { amount }) => sum + amount, 0);
    if (environment === 'sandbox') expect({ id, taken, used }).toEqual({ id, taken: -0, used: 0 });
    else if (status === 'completed') expect({ id, taken: taken + 0 }).toEqual({ id, taken: used });
    else if (status === 'failed' || status === 'cancelled') expect({ id, taken: taken + 0 }).toEqual({ id, taken: 0 });
  }
  for (const environment of ['production', 'sandbox']) {
    const underWay = calls.filter((call) => isUnderWay(call) && call.environment === environment);
    expect(underWay.length).toBeLessThanOrEqual(JOBS);
  }
}

const isOpen = ({ status }: CallRecord) => status === 'queued' || status === 'running';
const isUnderWay = (call: CallRecord) => call.is_async && call.is_admitted && isOpen(call);

describe('calls that are opened, started, completed, failed, deleted and killed in any interleaving', () => {
  it('leave a ledger that is exact to the cent, never below zero, and no more jobs under way than there may be', async () => {
    let number = 0;
    const property = fc.asyncProperty(
      fc.array(plan, { minLength: 6, maxLength: 6 }),
      fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      async (plans, waves) => {
        number += 1;
        const tenant = await Tenant.create(database, `random-${String(number)}`);
        try {
          await tenant.system.query(LIMIT, [tenant.clientId, JOBS]);
          const calls = new Calls(tenant, plans);
          for (const wave of waves) {
            const acts = wave.flatMap((one) => Array.from({ length: one.copies }, () => calls.perform(one)));
            await Promise.all(acts);
            await expectExact(calls);
          }
          // In the end everything that is still open is closed, and what waited has had its turn.
          for (const call of calls.ids.keys()) await calls.perform({ call, act: 'fail', copies: 1, crashes: false });
          await expectExact(calls);
        } finally {
          await tenant.close();
        }
      },
    );
    await fc.assert(property, { numRuns: Number(process.env['CREDIT_RUNS'] ?? 20) });
  }, 120_000);

  it('come to the trial’s credits less what completed calls cost', async () => {
    const tenant = await Tenant.create(database, 'trial');
    const plans: Plan[] = [3, 5, 7, 2, 1, 4].map((pages) => ({
      operation: 'extract',
      isAsync: true,
      isSandbox: false,
      pages,
    }));
    const calls = new Calls(tenant, plans);
    const all = [...calls.ids.keys()];
    const each = (name: Act['act'], which = all): Promise<unknown> =>
      Promise.all(which.map((call) => calls.perform({ call, act: name, copies: 1, crashes: false })));
    await each('open');
    await each('start');
    await Promise.all([each('complete', [0, 1, 2]), each('delete', [2, 3]), each('fail', [4, 5])]);
    await expectExact(calls);
    const rows = await tenant.system.query<CallRecord>(CALLS, [tenant.clientId]);
    const cost = rows.reduce((sum, { credits_used: used }) => sum + used, 0);
    expect([8, 15]).toContain(cost);
    const entries = await tenant.system.query<Entry>(ENTRIES, [tenant.clientId]);
    expect(entries.at(-1)?.balance_after).toBe(TRIAL - cost);
    await tenant.close();
  });

  it('what shows a result is kept before it is erased, or not at all', async () => {
    const tenant = await Tenant.create(database, 'keeper');
    const { clientId, caller, tenants } = tenant;
    const plans: Plan[] = Array.from({ length: 6 }, () => ({
      operation: 'extract',
      isAsync: true,
      isSandbox: false,
      pages: 1,
    }));
    const calls = new Calls(tenant, plans);
    const [id = ''] = calls.ids;
    for (const act of ['open', 'start', 'complete'] as const) {
      await calls.perform({ call: 0, act, copies: 1, crashes: false });
    }
    const order: string[] = [];
    let erased = Promise.resolve();
    await tenants.transaction(clientId, async (tx) => {
      expect(await holdResult(tx, id)).toBe(true);
      erased = tenants
        .transaction(clientId, (other) => eraseRequest(other, caller, id))
        .then(() => {
          order.push('erased');
        });
      // As long as an erasure that waited for nothing would take, many times over.
      await new Promise((resolve) => setTimeout(resolve, 300));
      order.push('kept');
    });
    await erased;
    expect(order).toEqual(['kept', 'erased']);
    expect(await tenants.transaction(clientId, (tx) => holdResult(tx, id))).toBe(false);
    await tenant.close();
  });

  it('a call that is deleted while its pages are being held for keeps nothing', async () => {
    const tenant = await Tenant.create(database, 'race');
    const { clientId } = tenant;
    await tenant.system.transaction((tx) => book(tx, { clientId, reference: 'test', step: 'grant', amount: 1_000 }));
    const plans = Array.from({ length: 6 }, () => ({
      operation: 'extract' as const,
      isAsync: true,
      isSandbox: false,
      pages: 9,
    }));
    for (let round = 0; round < 5; round += 1) {
      const calls = new Calls(tenant, plans);
      const all = [...calls.ids.keys()];
      const one = (call: number, name: Act['act']) => calls.perform({ call, act: name, copies: 1, crashes: false });
      await Promise.all(all.map((call) => one(call, 'open')));
      await Promise.all(all.flatMap((call) => [one(call, 'start'), one(call, 'delete')]));
    }
    const entries = await tenant.system.query<Entry>(ENTRIES, [clientId]);
    expect(entries.at(-1)?.balance_after).toBe(1_000);
    await tenant.close();
  });
});
