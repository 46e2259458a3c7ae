import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../documents/extract/context.ts';
import { extractLineItems, type LineItemOptions } from '../../../documents/tables/line-items.ts';
import type { LineItem, PageText } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

type Shown = [description: unknown, quantity: unknown, unitPrice: unknown, total: unknown];

const itemsOf = (pages: PageText[], options: LineItemOptions = {}): LineItem[] =>
  extractLineItems(createContext(pages), options);
const shown = ({ description, quantity, unit_price, total }: LineItem): Shown => [
  description.value,
  quantity.value,
  unit_price.value,
  total.value,
];
const read = (lines: string[], options: LineItemOptions = {}): Shown[] =>
  itemsOf([typedPage(lines, { width: 1200 })], options).map(shown);

describe('tables with headings', () => {
  test('words go to the columns under whose headings they stand', () => {
    expect(
      read([
        'Invoice 4711',
        'Code     Description                 Qty    Unit price      Amount',
        'A-100    Copper pipe 15 mm             4         12.50       50.00',
        'B-20     Elbow joint                  10          1.20       12.00',
        '                                     Subtotal                62.00',
      ]),
    ).toEqual([
      ['Copper pipe 15 mm', 4, 12.5, 50],
      ['Elbow joint', 10, 1.2, 12],
    ]);
  });

  test.each([
    ['de', 'Pos   Bezeichnung            Menge    Einzelpreis    Gesamtpreis', 'Gesamtbetrag'],
    ['fr', 'N°    Désignation            Qté      Prix unitaire  Montant HT', 'Total HT'],
    ['es', 'Ref   Descripción            Cantidad Precio         Importe', 'Base imponible'],
    ['it', 'Cod   Descrizione            Quantità Prezzo         Importo', 'Totale'],
    ['nl', 'Nr    Omschrijving           Aantal   Stukprijs      Bedrag', 'Totaal'],
    ['pt', 'Item  Descrição              Qtd      Preço          Valor total', 'Subtotal'],
  ])('headings in %s, decimal comma', (_, heading, sum) => {
    expect(
      read([
        heading,
        '1     Kaffee 1 kg               12           8,40         100,80',
        '2     Tee                        2       1.250,00       2.500,00',
        `                        ${sum}                   2.600,80`,
      ]),
    ).toEqual([
      ['Kaffee 1 kg', 12, 8.4, 100.8],
      ['Tee', 2, 1250, 2500],
    ]);
  });

  test('a heading of two lines is one', () => {
    const [item] = read([
      'Description          Qty    Unit     Amount    VAT     VAT',
      '                            Price    GBP       %       Amount',
      'Wooden pallet          2    25.00    50.00   20.00   10.00',
      'Total                                50.00',
    ]);
    expect(item).toEqual(['Wooden pallet', 2, 25, 50]);
  });

  test('a wrapped description is joined to the row that it continues', () => {
    expect(
      read([
        'Description                 Qty    Rate     Amount',
        'Consulting in the month of    3   80.00     240.00',
        'October, on site',
        'Travel                        1   60.00      60.00',
        'Total                                       300.00',
      ]),
    ).toEqual([
      ['Consulting in the month of October, on site', 3, 80, 240],
      ['Travel', 1, 60, 60],
    ]);
  });

  test('a total that is printed lower than its row belongs to it', () => {
    expect(
      read([
        'Description                 Qty    Rate     Amount',
        'Chair                         3   80.00',
        '                                            240.00',
        'Table                         1   60.00      60.00',
        'Total                                       300.00',
      ]),
    ).toEqual([
      ['Chair', 3, 80, 240],
      ['Table', 1, 60, 60],
    ]);
  });

  test('headings that are exchanged are put right by multiplication', () => {
    const [first] = read([
      'Item                        Qty    Amount   Price',
      'Chair                         3     80.00   240.00',
      'Table                         2     60.00   120.00',
      'Total                                       360.00',
    ]);
    expect(first).toEqual(['Chair', 3, 80, 240]);
  });

  test('discounts in the table are rows, shipping under it is not; negative rows keep their sign', () => {
    expect(
      read([
        'Description                 Qty    Rate     Amount',
        'Chair                         3   80.00     240.00',
        'Discount for loyalty                        -24.00',
        '                            Shipping          9.00',
        '                            Total           225.00',
      ]),
    ).toEqual([
      ['Chair', 3, 80, 240],
      ['Discount for loyalty', null, null, -24],
    ]);
  });

  test('a row at no price is a row', () => {
    expect(
      read([
        'Description                 Qty    Rate     Amount',
        'Warranty                      1    0.00       0.00',
      ]),
    ).toEqual([['Warranty', 1, 0, 0]]);
  });
});

describe('tables over pages', () => {
  const heading = 'Description                 Qty    Rate     Amount';

  test('headings come again, carried sums are left out', () => {
    const first = typedPage([
      heading,
      'Chair                         3   80.00     240.00',
      'Carried forward                             240.00',
    ]);
    const second = {
      ...typedPage([
        heading,
        'Brought forward                             240.00',
        'Table                         1   60.00      60.00',
        'Total                                       300.00',
      ]),
      page: 2,
    };
    expect(itemsOf([first, second]).map(shown)).toEqual([
      ['Chair', 3, 80, 240],
      ['Table', 1, 60, 60],
    ]);
  });

  test('the next page may have no headings', () => {
    const first = typedPage([heading, 'Chair                         3   80.00     240.00', 'Page 1 of 2']);
    const second = {
      ...typedPage([
        'Table                         1   60.00      60.00',
        'Total                                       300.00',
      ]),
      page: 2,
    };
    expect(itemsOf([first, second]).map(shown)).toEqual([
      ['Chair', 3, 80, 240],
      ['Table', 1, 60, 60],
    ]);
  });

  test('of two tables the one counts that adds up to a printed sum', () => {
    expect(
      read([
        'Location            Description     Units     Excl.',
        'Depot               Boxes               7     11.00',
        'Net total                                     99.00',
        '',
        'Item                Qty    Unit price         Amount',
        'Boxes                 2         30.00          60.00',
        'Total                                          60.00',
      ]),
    ).toEqual([['Boxes', 2, 30, 60]]);
  });
});

describe('columns that are missing', () => {
  test('a price that is not printed is computed, with less confidence and no place', () => {
    const [item] = itemsOf([
      typedPage([
        'Description                 Qty      Amount',
        'Chair                         4       240.00',
        'Total                                240.00',
      ]),
    ]);
    expect(item && shown(item)).toEqual(['Chair', 4, 60, 240]);
    expect(item?.unit_price.bbox).toBeNull();
    expect(item!.unit_price.confidence).toBeLessThan(item!.total.confidence);
  });

  test('a delivery note has quantities and no prices', () => {
    expect(
      read(['Item         Description              Qty', 'SKU2697      Hydraulic hose            25'], {
        unpriced: true,
      }),
    ).toEqual([['Hydraulic hose', 25, null, null]]);
  });

  test('without headings, prices count only where they add up', () => {
    const letter = (sum: string): string[] => [
      'Liability insurance            50,00',
      'Legal protection               20,00',
      `Total                          ${sum}`,
    ];
    expect(read(letter('70,00'))).toEqual([
      ['Liability insurance', 1, 50, 50],
      ['Legal protection', 1, 20, 20],
    ]);
    expect(read(letter('99,00'))).toEqual([]);
  });
});

describe('receipts', () => {
  test('a line of figures gives the quantity and price of the text above it', () => {
    expect(
      read(
        [
          'CORNER SHOP',
          'Espresso',
          '2 x 3.50                 7.00',
          'Croissant                2.10',
          'TOTAL                    9.10',
        ],
        { receipt: true },
      ),
    ).toEqual([
      ['Espresso', 2, 3.5, 7],
      ['Croissant', null, null, 2.1],
    ]);
  });

  test('a count before the text is the quantity, a tax flag behind the price is borne', () => {
    expect(
      read(['2 Beer                  11.80 SR', 'Bread                    3.20 Z', 'TOTAL                   15.00'], {
        receipt: true,
      }),
    ).toEqual([
      ['Beer', 2, null, 11.8],
      ['Bread', null, null, 3.2],
    ]);
  });
});

describe('confidence', () => {
  test('a row that multiplies is surer than one that cannot be tested, that surer than one that contradicts itself', () => {
    const items = itemsOf([
      typedPage([
        'Description                 Qty    Rate     Amount',
        'Chair                         3   80.00     240.00',
        'Delivery to the door                         10.00',
        'Table                         2   60.00     999.00',
        'Lamp                          1   10.00      10.00',
      ]),
    ]);
    const [proven, untested, wrong] = items.map((item) => item.total.confidence);
    expect(proven).toBeGreaterThan(untested!);
    expect(untested).toBeGreaterThan(wrong!);
  });

  test('every value that is printed has its box', () => {
    const [item] = itemsOf([
      typedPage([
        'Description                 Qty    Rate     Amount',
        'Chair                         3   80.00     240.00',
      ]),
    ]);
    for (const name of ['description', 'quantity', 'unit_price', 'total'] as const)
      expect(item?.[name].bbox).toMatchObject({ page: 1 });
  });
});

describe('no table', () => {
  test.each([
    ['nothing', []],
    [
      'a letter that speaks of prices',
      ['The price of an item and its total amount are', 'subject to the quantity that you order, see page 2.'],
    ],
    ['a heading without rows', ['Description                 Qty    Rate     Amount']],
    ['noise', ['| . , 9 :', '-- 0,, ..', '€ € €']],
  ])('%s gives no items', (_, lines) => {
    expect(read(lines)).toEqual([]);
    expect(read(lines, { unpriced: true })).toEqual([]);
    expect(read(lines, { receipt: true })).toEqual([]);
  });
});
