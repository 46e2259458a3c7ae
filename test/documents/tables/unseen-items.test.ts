import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../documents/extract/context.ts';
import { extractLineItems } from '../../../documents/tables/line-items.ts';
import { typedPage } from '../support.ts';

const read = (lines: string[], options = {}): unknown[] =>
  extractLineItems(createContext([typedPage(lines, { width: 1200 })]), options).map((item) => [
    item.description.value,
    item.quantity.value,
    item.unit_price.value,
    item.total.value,
  ]);

/** Tables of invented issuers, after what was misread on generated documents. */
describe('line items of layouts nobody has seen', () => {
  test('Czech headings, and units without a heading of their own', () => {
    expect(
      read([
        'Označení dodávky          Množství         Cena za MJ    Celkem bez DPH',
        'Skříň dub                  2    ks        18500,00          37000,00',
        'Montáž                     1    kpl        6200,00           6200,00',
        'Základ daně 21 %                                             43200,00',
      ]),
    ).toEqual([
      ['Skříň dub', 2, 18500, 37000],
      ['Montáž', 1, 6200, 6200],
    ]);
  });

  test('nothing is printed over the texts', () => {
    expect(
      read([
        '                    m3      Prix €/m3     Montant HT',
        'Consommation        61         1,42          86,62',
        'Assainissement      61         0,62          37,82',
        'Total HT                                    124,44',
      ]),
    ).toEqual([
      ['Consommation', 61, 1.42, 86.62],
      ['Assainissement', 61, 0.62, 37.82],
    ]);
  });

  test('a figure that sums the rows up and that nothing names is no row', () => {
    expect(
      read([
        'Description          Quantity    Rate      Amount',
        'Cotton shirt              400    2.00      800.00',
        'Printed kurti             100    1.00      100.00',
        '                                           900.00',
      ]),
    ).toEqual([
      ['Cotton shirt', 400, 2, 800],
      ['Printed kurti', 100, 1, 100],
    ]);
  });

  test('of what was ordered and what came, a delivery note counts what came', () => {
    expect(
      read(
        [
          'Code      Product           Ordered    This drop    To follow',
          'OSB18     OSB board              30           20           10',
        ],
        {
          unpriced: true,
        },
      ),
    ).toEqual([['OSB board', 20, null, null]]);
  });
});
