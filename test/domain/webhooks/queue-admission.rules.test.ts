import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { admit } from '../../../domain/webhooks/queue-admission.rules.ts';

const FREE = { limit: null, tokens: 0, sinceRefill: null, probeInMs: null };

describe('what an endpoint admits', () => {
  it('is all that is wanted where it has neither limit nor open breaker', () => {
    expect(admit(FREE, 64)).toMatchObject({ count: 64, waitMs: null, isProbe: false });
  });

  it('is one probe of an open breaker when its time has come, and nothing before', () => {
    expect(admit({ ...FREE, probeInMs: -5 }, 64)).toMatchObject({ count: 1, isProbe: true });
    expect(admit({ ...FREE, probeInMs: 12_000 }, 64)).toMatchObject({ count: 0, waitMs: 12_000, isProbe: false });
  });

  it('is a full second’s worth at first, and then what the clock has filled in', () => {
    expect(admit({ ...FREE, limit: 20 }, 64)).toMatchObject({ count: 20, tokens: 20 });
    expect(admit({ ...FREE, limit: 20, sinceRefill: 0.1 }, 64)).toMatchObject({ count: 2 });
    expect(admit({ ...FREE, limit: 20, sinceRefill: 60 }, 64)).toMatchObject({ count: 20, tokens: 20 });
  });

  it('is nothing while sends that were promised to retries are due first', () => {
    expect(admit({ ...FREE, limit: 2, tokens: -3, sinceRefill: 0.5 }, 64)).toMatchObject({ count: 0, waitMs: 1_500 });
  });

  it('owes no more than ten seconds of the rate, though more was promised before the limit was lowered', () => {
    expect(admit({ ...FREE, limit: 1, tokens: -10_000, sinceRefill: 0 }, 64)).toMatchObject({ waitMs: 12_000 });
    expect(admit({ ...FREE, limit: 1, tokens: -10_000, sinceRefill: 13 }, 64)).toMatchObject({ count: 1 });
  });

  it('never exceeds limit × t + limit, and reaches limit × t for whoever asks when told to', () => {
    const limits = fc.integer({ min: 1, max: 1_000 });
    const asks = fc.array(fc.record({ wanted: fc.integer({ min: 1, max: 64 }), late: fc.nat({ max: 40 }) }), {
      minLength: 50,
      maxLength: 200,
    });
    fc.assert(
      fc.property(limits, asks, (limit, steps) => {
        let [now, refilledAt, tokens, sent] = [0, null as number | null, 0, 0];
        for (const { wanted, late } of steps) {
          const sinceRefill = refilledAt === null ? null : (now - refilledAt) / 1_000;
          const admission = admit({ limit, tokens, sinceRefill, probeInMs: null }, wanted);
          [refilledAt, tokens] = [now, admission.tokens - admission.count];
          sent += admission.count;
          expect(sent).toBeLessThanOrEqual((limit * now) / 1_000 + limit + 1e-6);
          now += (admission.waitMs ?? 0) + late;
        }
      }),
    );
  });
});
