import { describe, expect, it } from '@jest/globals';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from '../../../domain/contracts/finance.ts';
import {
  CONVERSIONS,
  documentNumber,
  dueMinor,
  rowsOfStatus,
  settledStatus,
  shownStatus,
} from '../../../domain/finance/finance-documents.rules.ts';
import type { StoredStatus } from '../../../domain/finance/finance-documents.rules.ts';

const invoice = (fields: Partial<Parameters<typeof settledStatus>[0]> = {}) => ({
  document_type: 'invoice' as const,
  status: 'issued' as StoredStatus,
  due_date: '2026-11-20',
  total_minor: 1000,
  paid_minor: 0,
  credited_minor: 0,
  ...fields,
});

describe('where a document stands', () => {
  it.each([
    [0, 0, 'issued', 1000],
    [1, 0, 'partially_paid', 999],
    [0, 1, 'partially_paid', 999],
    [1000, 0, 'paid', 0],
    [400, 600, 'paid', 0],
    [0, 1000, 'cancelled', 0],
    [1000, 1000, 'cancelled', 0],
  ])('paid %d and credited %d of 1000 is %s with %d due', (paid_minor, credited_minor, status, due) => {
    const document = invoice({ paid_minor, credited_minor });
    expect([settledStatus(document), dueMinor(document)]).toEqual([status, due]);
  });

  it('what has ended stays ended, and an invoice or bill of nothing is paid as it is issued', () => {
    for (const status of ['draft', 'converted', 'cancelled'] as const) {
      expect(settledStatus(invoice({ status, paid_minor: 1000 }))).toBe(status);
    }
    for (const document_type of ['invoice', 'bill'] as const)
      expect(settledStatus(invoice({ document_type, total_minor: 0 }))).toBe('paid');
    expect(settledStatus(invoice({ document_type: 'quote', total_minor: 0 }))).toBe('issued');
  });

  it('an unsettled invoice or bill is overdue from the day after its due date', () => {
    expect(shownStatus(invoice(), '2026-11-20')).toBe('issued');
    expect(shownStatus(invoice(), '2026-11-21')).toBe('overdue');
    expect(shownStatus(invoice({ status: 'partially_paid', paid_minor: 5 }), '2026-11-21')).toBe('overdue');
    expect(shownStatus(invoice({ document_type: 'quote' }), '2026-11-21')).toBe('issued');
    expect(shownStatus(invoice({ status: 'paid', paid_minor: 1000 }), '2026-11-21')).toBe('paid');
    expect(shownStatus(invoice({ total_minor: 0 }), '2026-11-21')).toBe('issued');
  });

  it('each row shows exactly one status, and the filter of that status finds it', () => {
    const stored: StoredStatus[] = ['draft', 'issued', 'partially_paid', 'paid', 'converted', 'cancelled'];
    for (const type of DOCUMENT_TYPES) {
      for (const status of stored) {
        for (const today of ['2026-11-20', '2026-11-21']) {
          const row = invoice({ document_type: type, status });
          const isLate = today > '2026-11-20';
          const found = DOCUMENT_STATUSES.filter((shown) => {
            const rows = rowsOfStatus(type, shown);
            return rows.statuses.includes(status) && (rows.isLate === null || rows.isLate === isLate);
          });
          expect({ type, status, today, found }).toEqual({ type, status, today, found: [shownStatus(row, today)] });
        }
      }
    }
  });
});

it('numbers are those of people', () => {
  expect([documentNumber('invoice', 1), documentNumber('purchase_order', 1_234_567)]).toEqual([
    'INV-000001',
    'PO-1234567',
  ]);
});

it('only the five conversions of the decisions exist', () => {
  const pairs = DOCUMENT_TYPES.flatMap((from) => CONVERSIONS[from].map((to) => `${from}→${to}`));
  expect(pairs.sort()).toEqual(
    [
      'quote→invoice',
      'quote→purchase_order',
      'invoice→credit_note',
      'invoice→delivery_note',
      'purchase_order→bill',
    ].sort(),
  );
});
