import { expect, test } from '@jest/globals';
import { extractInvoice } from '../../../../documents/extract/invoice/invoice.ts';
import { contextOf, valuesOf } from '../support.ts';

test('the sums under a table of 1,000 rows are read in time: not every three amounts of it are tried', () => {
  const rows = Array.from({ length: 1000 }, (_, row) => `Hinge ${String(row)}      2      5.00      10.00`);
  const head = ['Acme Ltd', 'INVOICE INV-1044', 'Description      Qty      Price      Amount'];
  const context = contextOf([...head, ...rows, 'Subtotal   10000.00', 'VAT 20%   2000.00', 'Total GBP   12000.00']);
  const before = process.cpuUsage();
  const fields = valuesOf(extractInvoice(context, 'invoice'));
  const { user, system } = process.cpuUsage(before);
  expect(fields).toMatchObject({ subtotal: 10_000, tax: 2000, total: 12_000 });
  expect((user + system) / 1e6).toBeLessThan(3);
});
