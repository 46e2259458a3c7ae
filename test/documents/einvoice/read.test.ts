import { describe, expect, test } from '@jest/globals';
import { readEInvoice } from '../../../documents/einvoice/read.ts';
import { ciiInvoice, ciiPage, minimumInvoice, orderX, pdfWith, ublDocument, zugferd1Invoice } from './fixtures.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('CII (Factur-X, ZUGFeRD 2, XRechnung)', () => {
  test('every field of an EN 16931 invoice, exactly', async () => {
    await expect(readEInvoice(utf8(ciiInvoice()))).resolves.toEqual({
      syntax: 'cii',
      profile: 'urn:cen.eu:en16931:2017',
      document_type: 'invoice',
      type_code: '380',
      fields: {
        invoice_number: 'RE-2026/0042',
        invoice_date: '2026-03-04',
        purchase_order_number: 'PO-7788',
        vendor_name: 'Lieferant GmbH & Co. KG',
        vendor_address: 'Lieferantenstraße 20, 80333 München',
        vendor_tax_number: 'DE123456789',
        vendor_vat_number: 'DE123456789',
        vendor_phone: '+49 89 123456',
        vendor_email: 'kasse@lieferant.example',
        customer_name: 'Kunden AG Mitte',
        customer_address: 'Hans Muster, Kundenstraße 15, 69876 Frankfurt',
        delivery_date: '2026-03-01',
        currency: 'EUR',
        subtotal: 1238,
        tax: 235.22,
        tax_rate: 19,
        discount: 10,
        shipping: 10,
        total: 1473.22,
        amount_due: 1373.22,
        iban: 'DE02120300000000202051',
        swift: 'BYLADEM1001',
        due_date: '2026-04-03',
        payment_terms: 'Zahlbar innerhalb 30 Tagen',
      },
      line_items: [
        {
          description: 'Trennblätter A4',
          quantity: 120,
          unit_price: 9.9,
          total: 1188,
          tax_rate: 19,
          sku: 'TB100A4',
          unit: 'H87',
        },
        // 12.50 for 100 pieces.
        { description: 'Schrauben M6', quantity: 400, unit_price: 0.125, total: 50, tax_rate: 19, unit: 'H87' },
      ],
    });
  });

  test('MINIMUM has neither lines nor an address; nothing is made up for them', async () => {
    const invoice = await readEInvoice(utf8(minimumInvoice));
    expect(invoice?.line_items).toEqual([]);
    expect(invoice?.fields).toEqual({
      invoice_number: 'FA-2026-17',
      invoice_date: '2026-01-15',
      vendor_name: 'Au bon moulin',
      vendor_tax_number: 'FR11999999998',
      vendor_vat_number: 'FR11999999998',
      customer_name: 'Ma jolie boutique',
      currency: 'EUR',
      subtotal: 624.9,
      tax: 46.25,
      total: 671.15,
      amount_due: 470.15,
    });
  });

  test.each([
    ['380', 'invoice'],
    ['384', 'invoice'],
    ['389', 'invoice'],
    ['326', 'invoice'],
    ['381', 'credit_note'],
    ['261', 'credit_note'],
  ])('type code %s is a %s', async (typeCode, type) => {
    await expect(readEInvoice(utf8(ciiInvoice({ typeCode })))).resolves.toMatchObject({ document_type: type });
  });

  test('a credit note has its own number and date, and the invoice it corrects', async () => {
    const settlementExtra =
      '<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>RE-1</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>';
    const note = await readEInvoice(utf8(ciiInvoice({ typeCode: '381', settlementExtra })));
    expect(note?.fields).toMatchObject({
      credit_note_number: 'RE-2026/0042',
      credit_note_date: '2026-03-04',
      original_invoice_number: 'RE-1',
    });
  });

  test('headings of the EXTENDED profile are no lines', async () => {
    const line = (reason: string, name: string): string =>
      `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineStatusReasonCode>${reason}</ram:LineStatusReasonCode></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>${name}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity>1</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery></ram:IncludedSupplyChainTradeLineItem>`;
    const lines = line('GROUP', 'Kitchen') + line('DETAIL', 'Table') + line('INFORMATION', 'Oak');
    const invoice = await readEInvoice(utf8(ciiInvoice({ lines })));
    expect(invoice?.line_items.map((item) => item.description)).toEqual(['Table']);
  });

  test('a value outside of its grammar is left out, not guessed', async () => {
    const xml = ciiInvoice().replace('>20260304<', '>20261304<').replace('>1473.22<', '>1.473,22<');
    const invoice = await readEInvoice(utf8(xml));
    expect(invoice?.fields).not.toHaveProperty('invoice_date');
    expect(invoice?.fields).not.toHaveProperty('total');
  });
});

describe('other syntaxes', () => {
  test('ZUGFeRD 1.0, in ISO-8859-1; a remark is no line', async () => {
    const invoice = await readEInvoice(Buffer.from(zugferd1Invoice, 'latin1'));
    expect(invoice).toMatchObject({
      syntax: 'zugferd1',
      fields: {
        invoice_number: '471102',
        invoice_date: '2013-03-05',
        vendor_name: 'Bäckerei Grün',
        tax_rate: 19,
        total: 235.62,
        amount_due: 235.62,
      },
      line_items: [{ description: 'Brötchen', quantity: 20, total: 198, unit: 'C62' }],
    });
  });

  test('Order-X is a purchase order', async () => {
    const order = await readEInvoice(utf8(orderX));
    expect(order).toMatchObject({ syntax: 'order-x', document_type: 'purchase_order', type_code: '220' });
    expect(order?.fields).toMatchObject({
      purchase_order_number: 'PO123456789',
      order_date: '2026-02-03',
      currency: 'EUR',
      subtotal: 60,
    });
    expect(order?.line_items).toEqual([
      { description: 'Product Name', quantity: 6, unit_price: 10, total: 60, sku: '987654', unit: 'C62' },
    ]);
  });

  test('UBL invoice: the legal name, the VAT number before the local one, a sort code is no BIC', async () => {
    const invoice = await readEInvoice(utf8(ublDocument('Invoice', '380')));
    expect(invoice).toMatchObject({ syntax: 'ubl', document_type: 'invoice' });
    expect(invoice?.fields).toEqual({
      invoice_number: 'INV-77',
      invoice_date: '2026-02-01',
      purchase_order_number: '4500-1',
      vendor_name: 'Northern Advice Ltd',
      vendor_address: '1 High Street, Leeds LS1 4AP',
      vendor_tax_number: 'GB123456789',
      vendor_vat_number: 'GB123456789',
      customer_name: 'Buyer plc',
      currency: 'GBP',
      subtotal: 100,
      tax: 20,
      tax_rate: 20,
      shipping: 5,
      total: 120,
      amount_due: 120,
      bank_account: '12345678',
      due_date: '2026-03-03',
    });
    expect(invoice?.line_items).toEqual([
      { description: 'Consulting', quantity: 4, unit_price: 25, total: 100, tax_rate: 20, sku: 'C-1', unit: 'HUR' },
    ]);
  });

  test('UBL credit note and order', async () => {
    await expect(readEInvoice(utf8(ublDocument('CreditNote', '381')))).resolves.toMatchObject({
      document_type: 'credit_note',
      fields: { credit_note_number: 'INV-77', original_invoice_number: 'INV-60', total: 120 },
      line_items: [{ quantity: 4 }],
    });
    await expect(readEInvoice(utf8(ublDocument('Order')))).resolves.toMatchObject({
      document_type: 'purchase_order',
      fields: { purchase_order_number: 'INV-77', order_date: '2026-02-01', vendor_name: 'Northern Advice Ltd' },
      line_items: [{ quantity: 4 }],
    });
  });

  test('UTF-16 with its byte order mark', async () => {
    const invoice = await readEInvoice(Buffer.from(`\uFEFF${ublDocument('Invoice')}`, 'utf16le'));
    expect(invoice?.fields['vendor_name']).toBe('Northern Advice Ltd');
  });
});

describe('XML in a PDF', () => {
  test.each([
    ['factur-x.xml', 'names'],
    ['rechnung.bin', 'names'],
    ['zugferd.xml', 'af'],
  ] as const)('is found as %s in /%s', async (name, place) => {
    const pdf = await pdfWith(ciiPage(), { content: ciiInvoice(), name, place });
    await expect(readEInvoice(pdf)).resolves.toMatchObject({ fields: { total: 1473.22 } });
  });

  test('a PDF without one, and a PDF with something else, have none', async () => {
    await expect(readEInvoice(await pdfWith(ciiPage()))).resolves.toBeUndefined();
    const other = { content: '<feed xmlns="http://www.w3.org/2005/Atom"/>', name: 'factur-x.xml' };
    await expect(readEInvoice(await pdfWith(ciiPage(), other))).resolves.toBeUndefined();
    const broken = { content: ciiInvoice().slice(0, 900), name: 'factur-x.xml' };
    await expect(readEInvoice(await pdfWith(ciiPage(), broken))).resolves.toBeUndefined();
  });

  test('a hostile attachment is passed over and a good one behind it is read', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">]><a>&a;</a>`;
    const pdf = await pdfWith(ciiPage(), { content: bomb, name: 'a.xml' });
    await expect(readEInvoice(pdf)).resolves.toBeUndefined();
  });
});
