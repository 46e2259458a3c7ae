import { describe, expect, test } from '@jest/globals';
import { valuesOf } from './read.ts';

describe('credit note', () => {
  const note = (sign: string): string => `
Alder & Finch Packaging                         CREDIT NOTE
2210 Oak Avenue
Denver, CO 80205

Credit to                                       Credit Note No:  CN-5512
Westgate Clinic                                 Date:            2024-06-03
915 Lakeshore Drive                             Original invoice: INV-20031
Madison, WI 53703

Net credit                                      ${sign}$100.00
VAT (20%)                                       ${sign}$20.00
Total credit                                    ${sign}$120.00`;

  test('has its own number and that of the invoice it corrects', () => {
    expect(valuesOf('credit_note', note(''))).toMatchObject({
      credit_note_number: 'CN-5512',
      original_invoice_number: 'INV-20031',
      credit_note_date: '2024-06-03',
      vendor_name: 'Alder & Finch Packaging',
      customer_name: 'Westgate Clinic',
      subtotal: 100,
      tax: 20,
      total: 120,
    });
  });

  test('is as much positive as negative: what is credited', () => {
    expect(valuesOf('credit_note', note('-'))).toMatchObject({ subtotal: 100, tax: 20, total: 120 });
  });

  test('a letter of the series that was misread is put right', () => {
    const misread = note('').replace('INV-20031', 'lNV-20031');
    expect(valuesOf('credit_note', misread)['original_invoice_number']).toBe('INV-20031');
  });
});

describe('purchase order', () => {
  const order = `
Westfalen Klinik GmbH
Parkallee 3
48143 Münster

Bestellung

Lieferant                              Bestellnummer: 4500012345
Medizintechnik Nord AG                 Bestelldatum: 14.02.2024
Hafenstraße 9                          Lieferdatum: 01.03.2024
20457 Hamburg

Nettobetrag      2.000,00 EUR
MwSt. 19 %         380,00 EUR
Gesamt           2.380,00 EUR`;

  test('its writer is the customer, the party that it names as supplier the vendor', () => {
    expect(valuesOf('purchase_order', order, 'de')).toMatchObject({
      purchase_order_number: '4500012345',
      order_date: '2024-02-14',
      delivery_date: '2024-03-01',
      vendor_name: 'Medizintechnik Nord AG',
      vendor_address: 'Hafenstraße 9, 20457 Hamburg',
      customer_name: 'Westfalen Klinik GmbH',
      total: 2380,
    });
  });

  test('who it goes "to" is the vendor', () => {
    const text = `
Brightwater School                     PURCHASE ORDER
480 Harbor Blvd                        PO Number: PO7358119
Tacoma, WA 98402                       Order Date: 22 Apr 2025

To:
Summit Tool & Die Inc.
2210 Oak Avenue
Denver, CO 80205

Total                                  $2,081.68`;
    expect(valuesOf('purchase_order', text)).toMatchObject({
      vendor_name: 'Summit Tool & Die Inc.',
      customer_name: 'Brightwater School',
      purchase_order_number: 'PO7358119',
    });
  });
});

describe('delivery note', () => {
  const text = `
Kestrel Freight Services               DELIVERY NOTE
915 Lakeshore Drive
Madison, WI 53703

Delivery note no.   DN-88213           Delivered on   12 March 2024
Your order          PO-5512

Deliver to
Brightwater School
12 Mill Street
Leeds LS1 4AB

Item       Description        Qty
SKU1       Chairs             14`;

  test('has a number, a day, the order and where the goods went, and no amounts', () => {
    const fields = valuesOf('delivery_note', text);
    expect(fields).toMatchObject({
      delivery_note_number: 'DN-88213',
      delivery_date: '2024-03-12',
      purchase_order_number: 'PO-5512',
      vendor_name: 'Kestrel Freight Services',
      customer_name: 'Brightwater School',
      customer_address: '12 Mill Street, Leeds LS1 4AB',
    });
    expect(Object.keys(fields)).not.toEqual(expect.arrayContaining(['total']));
  });
});

describe('bill', () => {
  const form = `
                                   Clearbrook Water
Water Bill                         12 Mill Street
                                   Leeds LS1 4AB

Account holder    Martha Hughes         Account no.   A-99812
Service address   7 Station Road, Bristol BS1 6QF
Issue date        01 May 2024           Pay before    22 May 2024

Billing period: 01 Apr 2024 - 30 Apr 2024
Previous balance                         £10.00
Payments received                       -£10.00
VAT (5%)                                 £3.00
Amount due                               £63.00`;

  test('has an account, a period, a balance before and what is due', () => {
    expect(valuesOf('bill', form)).toMatchObject({
      account_number: 'A-99812',
      customer_name: 'Martha Hughes',
      customer_address: '7 Station Road, Bristol BS1 6QF',
      vendor_name: 'Clearbrook Water',
      invoice_date: '2024-05-01',
      due_date: '2024-05-22',
      billing_period_start: '2024-04-01',
      billing_period_end: '2024-04-30',
      previous_balance: 10,
      amount_paid: 10,
      tax: 3,
      amount_due: 63,
      currency: 'GBP',
    });
  });

  test('"account name" among bank details is not the customer', () => {
    const text = `
Brightspark Energy
33 King William Street
London EC4R 9AT
Customer: Samuel Okafor

Total due      £20.00
Account name: Brightspark Energy Ltd
Sort code: 20-00-00   Account number: 12345678`;
    expect(valuesOf('bill', text)).toMatchObject({ customer_name: 'Samuel Okafor', sort_code: '20-00-00' });
  });
});
