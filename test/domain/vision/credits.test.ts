import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { entities } from '../../../domain/entities.ts';
import { book, OutOfCreditsError } from '../../../domain/vision/index.ts';
import type { BookingStep } from '../../../domain/vision/credits.service.ts';
import { creditsTaken } from '../../../domain/vision/credits.service.ts';
import { TenantDatabase } from '../../../platform/db/database.ts';
import { statement } from '../../../platform/db/statement.ts';
import { createLogger } from '../../../platform/log.ts';
import { testDatabase } from '../../support/stack.ts';
import type { TestDatabase } from '../../support/stack.ts';

interface Entry extends Record<string, unknown> {
  reference: string;
  step: string;
  amount: number;
  balance_after: number;
}

const LEDGER = statement(`
  select reference, step, amount::float8 as amount, balance_after::float8 as balance_after
  from credit_entries where client_id = $1 order by id`);

let database: TestDatabase;
let tenants: TenantDatabase;
let nextClient = 1;
beforeAll(async () => {
  database = await testDatabase();
  const log = createLogger('test', 'silent');
  tenants = new TenantDatabase({ url: database.appUrl, poolSize: 8, applicationName: 'test', entities, log });
});
afterAll(async () => {
  await tenants.close();
  await database.drop();
});

type Outcome = 'booked' | 'out of credits';

/** One booking in a transaction of its own. */
function bookAlone(clientId: number, reference: string, step: BookingStep, amount: number): Promise<Outcome> {
  return tenants
    .transaction(clientId, (tx) => book(tx, { clientId, reference, step, amount }))
    .then(
      () => 'booked',
      (error: unknown) => {
        if (error instanceof OutOfCreditsError) return 'out of credits';
        throw error;
      },
    );
}

const ledger = (clientId: number) => tenants.transaction(clientId, (tx) => tx.query<Entry>(LEDGER, [clientId]));
const cents = (amount: number) => Math.round(amount * 100);

/** What must hold of a ledger whatever was booked, in whatever order, however often. */
function expectSound(entries: readonly Entry[]): void {
  let balance = 0;
  const seen = new Set<string>();
  for (const { reference, step, amount, balance_after } of entries) {
    balance += cents(amount);
    expect(cents(balance_after)).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(seen).not.toContain(`${reference}/${step}`);
    seen.add(`${reference}/${step}`);
  }
}

/** A booking, sent `copies` times at once, as retries of activities and of callers do. */
const booking = fc.record({
  reference: fc.constantFrom('a', 'b', 'c', 'd'),
  step: fc.constantFrom<BookingStep>('grant', 'hold', 'hold_pages', 'settle', 'refund'),
  amountCents: fc.integer({ min: -600, max: 400 }),
  copies: fc.integer({ min: 1, max: 3 }),
});

describe('book', () => {
  it('never lets the balance fall below zero and books each step once, in any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(booking, { minLength: 1, maxLength: 5 }), { maxLength: 4 }), async (waves) => {
        const clientId = nextClient++;
        await bookAlone(clientId, 'start', 'grant', 5);
        for (const wave of waves) {
          await Promise.all(
            wave.flatMap(({ reference, step, amountCents, copies }) =>
              Array.from({ length: copies }, () => bookAlone(clientId, reference, step, amountCents / 100)),
            ),
          );
        }
        expectSound(await ledger(clientId));
      }),
      { numRuns: 25 },
    );
  });

  it('lets exactly as many of many simultaneous holds through as there are credits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 12 }), async (credits, calls) => {
        const clientId = nextClient++;
        await bookAlone(clientId, 'start', 'grant', credits);
        const outcomes = await Promise.all(
          Array.from({ length: calls }, (_, n) => bookAlone(clientId, `call-${String(n)}`, 'hold', -1)),
        );
        expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(Math.min(credits, calls));
        expectSound(await ledger(clientId));
      }),
      { numRuns: 15 },
    );
  });

  it('counts in cents: a hundred quarters are 25 exactly', async () => {
    const clientId = nextClient++;
    await bookAlone(clientId, 'start', 'grant', 25);
    for (let n = 0; n < 100; n += 1) await bookAlone(clientId, `q${String(n)}`, 'hold', -0.25);
    expect((await ledger(clientId)).at(-1)?.balance_after).toBe(0);
    expect(await bookAlone(clientId, 'one more', 'hold', -0.01)).toBe('out of credits');
  });

  it('says what was asked for and what is left, and leaves no entry', async () => {
    const clientId = nextClient++;
    await bookAlone(clientId, 'start', 'grant', 1.5);
    const refused = tenants.transaction(clientId, (tx) =>
      book(tx, { clientId, reference: 'r', step: 'hold_pages', amount: -4 }),
    );
    await expect(refused).rejects.toMatchObject({ name: 'OutOfCreditsError', balance: 1.5, price: 4 });
    expect(await ledger(clientId)).toHaveLength(1);
  });

  it('a repeated step is no refusal, even when the balance no longer covers it', async () => {
    const clientId = nextClient++;
    await bookAlone(clientId, 'start', 'grant', 1);
    expect(await bookAlone(clientId, 'r', 'hold', -1)).toBe('booked');
    expect(await bookAlone(clientId, 'r', 'hold', -1)).toBe('booked');
    expect(await bookAlone(clientId, 's', 'hold', -1)).toBe('out of credits');
  });

  it('keeps clients apart', async () => {
    const [rich, poor] = [nextClient++, nextClient++];
    await bookAlone(rich, 'start', 'grant', 100);
    expect(await bookAlone(poor, 'r', 'hold', -1)).toBe('out of credits');
  });
});

describe('creditsTaken', () => {
  it('is what was held less what was given back', async () => {
    const clientId = nextClient++;
    await bookAlone(clientId, 'start', 'grant', 10);
    await bookAlone(clientId, 'r', 'hold', -1);
    await bookAlone(clientId, 'r', 'hold_pages', -2);
    const taken = () => tenants.transaction(clientId, (tx) => creditsTaken(tx, clientId, 'r'));
    expect(await taken()).toBe(3);
    await bookAlone(clientId, 'r', 'refund', await taken());
    expect(await taken()).toBe(0);
    expect((await ledger(clientId)).at(-1)?.balance_after).toBe(10);
  });
});
