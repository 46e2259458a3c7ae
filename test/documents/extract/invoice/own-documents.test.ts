import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../../documents/extract/context.ts';
import { extractInvoice } from '../../../../documents/extract/invoice/invoice.ts';
import type { PageText } from '../../../../documents/index.ts';
import { openPdf } from '../../../../documents/pages/pdfium.ts';
import { pageGeometry } from '../../../../documents/pages/raster.ts';
import { readTextLayer } from '../../../../documents/pages/text-layer.ts';
import type { FinanceDocumentData } from '../../../../domain/contracts/finance.ts';
import { financeDocumentPdf } from '../../../../domain/finance/pdf/document-pdf.ts';

const data: FinanceDocumentData = {
  id: 512,
  document_type: 'invoice',
  document_number: 'INV-000001',
  status: 'partially_paid',
  client_id: 1,
  contact_id: 7,
  contact_name: 'Kruger Farms',
  contact_email: 'ap@kruger.example',
  contact_phone: '+27 21 555 0101',
  contact_address: '12 Vineyard Road\nStellenbosch',
  contact_tax_number: '4123456789',
  document_date: '2026-11-21',
  due_date: '2026-12-21',
  currency: 'EUR',
  subtotal: 1125,
  discount_total: 0,
  tax_total: 168.75,
  total: 1293.75,
  amount_paid: 293.75,
  amount_credited: 0,
  amount_due: 1000,
  amount_to_refund: 0,
  tax_summary: [{ tax_rate: 15, net_amount: 1125, tax_amount: 168.75 }],
  reference: 'PO-7741',
  notes: 'Thank you.',
  terms: 'Payment within 30 days.',
  custom_fields: {},
  converted_from_type: null,
  converted_from_id: null,
  invoice_id: null,
  issued_at: '2026-11-21T08:30:00.000Z',
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:30:00.000Z',
  lines: [
    {
      line_number: 1,
      description: 'Service of the north pump',
      quantity: 2.5,
      unit_price: 450,
      discount_percent: 0,
      tax_rate: 15,
      item_code: null,
      account_code: null,
      discount_amount: 0,
      net_amount: 1125,
      tax_amount: 168.75,
      total_amount: 1293.75,
    },
  ],
};

async function readBack(type: FinanceDocumentData['document_type'], locale: string): Promise<Record<string, unknown>> {
  const bytes = await financeDocumentPdf(
    { ...data, document_type: type },
    { name: 'Acme Field Services', country: 'ZA' },
    locale,
  );
  const pdf = await openPdf(bytes);
  const pages = Array.from({ length: pdf.pages }, (_, index): PageText =>
    pdf.withPage(index, (page) => {
      const geometry = pageGeometry(pdf.module, page);
      const { words } = readTextLayer(pdf.module, page, geometry);
      const { width, height, dpi } = geometry;
      return {
        page: index + 1,
        width,
        height,
        dpi,
        words,
        source: 'text_layer',
        rotation: 0,
        language: locale.slice(0, 2),
      };
    }),
  );
  pdf.close();
  const fields = extractInvoice(createContext(pages), type);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
}

describe('what the platform prints, it reads', () => {
  test.each(['en-ZA', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'pt-PT', 'de-CH'])(
    'an invoice in %s',
    async (locale) => {
      const fields = await readBack('invoice', locale);
      expect(fields).toMatchObject({
        invoice_number: 'INV-000001',
        purchase_order_number: 'PO-7741',
        invoice_date: '2026-11-21',
        due_date: '2026-12-21',
        vendor_name: 'Acme Field Services',
        customer_name: 'Kruger Farms',
        customer_address: '12 Vineyard Road, Stellenbosch',
        customer_tax_number: '4123456789',
        customer_email: 'ap@kruger.example',
        subtotal: 1125,
        tax: 168.75,
        tax_rate: 15,
        total: 1293.75,
        amount_paid: 293.75,
        amount_due: 1000,
        currency: 'EUR',
      });
      // The customer's are not the vendor's.
      for (const name of ['vendor_tax_number', 'vendor_email', 'vendor_phone']) expect(fields).not.toHaveProperty(name);
    },
  );

  test('a purchase order goes to its vendor', async () => {
    expect(await readBack('purchase_order', 'es-ES')).toMatchObject({
      purchase_order_number: 'INV-000001',
      vendor_name: 'Kruger Farms',
      customer_name: 'Acme Field Services',
    });
  });
});
