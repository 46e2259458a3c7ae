import { describe, expect, test } from '@jest/globals';
import type { AccountLesson, AccountSuggestion, LineItem } from '../../../documents/index.ts';
import { validateExtraction } from '../../../documents/validate/validate.ts';

const accounts = [
  { gl_code: '5200', gl_name: 'Freight and courier', keywords: ['delivery', 'courier'] },
  { gl_code: '5300', gl_name: 'Subcontractors', keywords: ['labour'] },
  { gl_code: '6020', gl_name: 'Repairs and maintenance', keywords: ['repair', 'maintenance'] },
  { gl_code: '6110', gl_name: 'Software and hosting', keywords: ['software', 'subscription'] },
  { gl_code: '6200', gl_name: 'Stationery and office supplies', keywords: ['paper', 'toner'] },
  { gl_code: '6310', gl_name: 'Meals and entertainment', keywords: ['coffee', 'lunch'] },
];

const PUMPS = 'Karoo Windmill Services';
const ROASTER = 'Silver Birch Roasters (Pty) Ltd';
const DESIGN = 'Dune & Co Studio';

/** What a bookkeeper chose, newest first. */
const CHOICES: AccountLesson[] = [
  { vendor: PUMPS, description: 'Borehole sleeve refit', gl_code: '5300' },
  { vendor: PUMPS, description: 'Quarterly inspection of windmill, north camp', gl_code: '6020' },
  { vendor: ROASTER, description: 'House blend 1 kg', gl_code: '6310' },
  { vendor: DESIGN, description: 'Retainer September 2026', gl_code: '6110' },
];

function suggest(vendor: string | null, description: string, lessons = CHOICES): AccountSuggestion | undefined {
  const cell = (value: unknown) => ({ value, confidence: 0.9 });
  const line: LineItem = { description: cell(description), quantity: cell(1), unit_price: cell(1), total: cell(1) };
  const extraction = {
    document_type: 'invoice',
    document_type_confidence: 1,
    fields: vendor === null ? {} : { vendor_name: { value: vendor, confidence: 0.9, bbox: null } },
    line_items: [line],
    alternatives: [],
  };
  return validateExtraction(extraction, { gl_code_suggestion: true, accounts, lessons }).gl_code_suggestions?.[0];
}

const sureness = (vendor: string | null, description: string, lessons = CHOICES): number =>
  suggest(vendor, description, lessons)?.confidence ?? 0;

describe('the account of a line', () => {
  test.each([
    ['the same line', PUMPS, 'Borehole sleeve refit', '5300'],
    ['in other print', PUMPS, 'BOREHOLE SLEEVE  REFIT.', '5300'],
    ['with another number', PUMPS, 'Borehole sleeve refit no. 17', '5300'],
    ['of another month', DESIGN, 'Retainer October 2026', '6110'],
    ['by a vendor whose name was read a little otherwise', 'KAROO WINDMILL SERVICE', 'Borehole sleeve refit', '5300'],
  ])('that somebody chose for it comes back, sure: %s', (_, vendor, description, gl_code) => {
    expect(suggest(vendor, description)).toMatchObject({ gl_code });
    expect(sureness(vendor, description)).toBeGreaterThanOrEqual(0.8);
  });

  test.each([
    ['a similar line of the vendor', PUMPS, 'Quarterly inspection of windmill, south camp', '6020'],
    ['the same line of another vendor', ROASTER, 'Borehole sleeve refit', '5300'],
    ['the same line of nobody known', null, 'Borehole sleeve refit', '5300'],
  ])('is suggested less surely for %s', (_, vendor, description, gl_code) => {
    expect(suggest(vendor, description)).toMatchObject({ gl_code });
    expect(sureness(vendor, description)).toBeGreaterThanOrEqual(0.45);
    expect(sureness(vendor, description)).toBeLessThan(0.8);
  });

  test('falls from the vendor’s own line over a similar one and another vendor’s to nothing', () => {
    const own = sureness(PUMPS, 'Quarterly inspection of windmill, north camp');
    const similar = sureness(PUMPS, 'Quarterly inspection of windmill, south camp');
    const others = sureness(ROASTER, 'Quarterly inspection of windmill, north camp');
    const othersSimilar = sureness(ROASTER, 'Quarterly inspection of windmill, south camp');
    expect([own, similar, others, othersSimilar]).toEqual([own, similar, others, othersSimilar].sort((a, b) => b - a));
    expect(new Set([own, similar, others, othersSimilar]).size).toBe(4);
  });

  test.each([
    [PUMPS, 'Tailored gaskets'],
    [PUMPS, 'Windmill hire'],
    [ROASTER, 'Xyzzy 42'],
    [DESIGN, ''],
  ])('is never copied from the vendor’s other lines: %s, %j', (vendor, description) => {
    expect(suggest(vendor, description)).toBeUndefined();
  });

  test('where nobody chose anything alike the chart’s own words say it, or nothing does', () => {
    expect(suggest(PUMPS, 'Courier to Durban')).toMatchObject({ gl_code: '5200' });
    expect(suggest(DESIGN, 'Coffee for the meeting', [])).toMatchObject({ gl_code: '6310' });
    expect(sureness(DESIGN, 'Coffee for the meeting', [])).toBeLessThanOrEqual(0.8);
    expect(suggest(DESIGN, 'Borehole sleeve refit', [])).toBeUndefined();
  });

  test('a choice wins over the chart’s words; where they agree both make it surer', () => {
    const against = [{ vendor: ROASTER, description: 'Coffee machine repair', gl_code: '5300' }];
    expect(suggest(ROASTER, 'Coffee machine repair', against)).toMatchObject({ gl_code: '5300' });
    const agreeing = [{ vendor: PUMPS, description: 'Coffee beans, dark', gl_code: '6310' }];
    expect(sureness(ROASTER, 'Coffee beans, dark', agreeing)).toBeGreaterThan(
      sureness(ROASTER, 'Coffee beans, dark', []),
    );
  });

  test('of choices for one line that contradict each other the newest wins, less surely', () => {
    const old = { vendor: PUMPS, description: 'Call-out', gl_code: '6020' };
    const now = { vendor: PUMPS, description: 'Call-out', gl_code: '5300' };
    expect(suggest(PUMPS, 'Call-out', [now, old])).toMatchObject({ gl_code: '5300' });
    expect(sureness(PUMPS, 'Call-out', [now, old])).toBeLessThan(sureness(PUMPS, 'Call-out', [now]));
    expect(sureness(PUMPS, 'Call-out', [now, now, old])).toBeGreaterThan(sureness(PUMPS, 'Call-out', [now, old]));
  });

  test('a vendor whose lines all went to one account is known by that, from three different ones on', () => {
    const lines = ['House blend', 'Single origin Ethiopia', 'Decaf Swiss water', 'Filter roast'];
    const choices = lines.map((description) => ({ vendor: ROASTER, description, gl_code: '6310' }));
    expect(suggest(ROASTER, 'Moka grind', choices.slice(0, 2))).toBeUndefined();
    expect(suggest(ROASTER, 'Moka grind', choices)).toMatchObject({ gl_code: '6310' });
    expect(sureness(ROASTER, 'Moka grind', choices)).toBeLessThan(0.8);
    expect(suggest(PUMPS, 'Moka grind', choices)).toBeUndefined();
  });

  test('an account that is no longer in the chart is not suggested, whatever was chosen', () => {
    expect(suggest(PUMPS, 'Call-out', [{ vendor: PUMPS, description: 'Call-out', gl_code: '9999' }])).toBeUndefined();
  });
});
