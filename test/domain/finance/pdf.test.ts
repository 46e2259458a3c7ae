import { describe, expect, it } from '@jest/globals';
import { openPdf } from '../../../documents/pages/pdfium.ts';
import { pageGeometry } from '../../../documents/pages/raster.ts';
import { readTextLayer } from '../../../documents/pages/text-layer.ts';
import type { FinanceDocumentData, FinanceLine } from '../../../domain/contracts/finance.ts';
import { LABEL_LANGUAGES } from '../../../domain/finance/pdf/labels.ts';
import { financeDocumentPdf } from '../../../domain/finance/pdf/document-pdf.ts';

const ISSUER = { name: 'Acme Field Services', country: 'ZA' };

const line = (line_number: number, over: Partial<FinanceLine> = {}): FinanceLine => ({
  line_number,
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
  ...over,
});

const invoice = (over: Partial<FinanceDocumentData> = {}): FinanceDocumentData => ({
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
  currency: 'ZAR',
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
  lines: [line(1)],
  ...over,
});

/** The words of each page, read by the text-layer reader of our own Document AI. */
async function pagesOf(document: FinanceDocumentData, locale = 'en-ZA', issuer = ISSUER): Promise<string[]> {
  const pdf = await openPdf(await financeDocumentPdf(document, issuer, locale));
  try {
    return Array.from({ length: pdf.pages }, (_, index) =>
      pdf.withPage(index, (page) => {
        const { words, trust } = readTextLayer(pdf.module, page, pageGeometry(pdf.module, page));
        expect(trust).toBeGreaterThan(words.some(({ text }) => text.includes('\uFFFD')) ? 0.95 : 0.999);
        return words.map((word) => word.text).join(' ');
      }),
    );
  } finally {
    pdf.close();
  }
}
const textOf = async (document: FinanceDocumentData, locale?: string): Promise<string> =>
  (await pagesOf(document, locale)).join(' ');

describe('the PDF of a finance document', () => {
  it('says all that the document says', async () => {
    const text = await textOf(invoice());
    for (const words of [
      'Acme Field Services',
      'Invoice',
      'Number INV-000001',
      'Date 21 Nov 2026',
      'Due date 21 Dec 2026',
      'Reference PO-7741',
      'Kruger Farms 12 Vineyard Road Stellenbosch Tax number: 4123456789 ap@kruger.example +27 21 555 0101',
      '1 Service of the north pump 2,5 450,00 15% 1 125,00',
      'Tax rate Net Tax 15% 1 125,00 168,75',
      'Total R 1 293,75',
      'Paid -R 293,75',
      'Amount due R 1 000,00',
      'Notes Thank you. Terms Payment within 30 days.',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('calls the sum after the discount subtotal, as the field of the API is called', async () => {
    const discounted = invoice({ discount_total: 75 });
    expect(await textOf(discounted)).toContain(
      'Net before discount R 1 200,00 Discount -R 75,00 Subtotal R 1 125,00 Tax R 168,75',
    );
    expect(await textOf(discounted, 'de-DE')).toMatch(/Netto vor Rabatt .+ Zwischensumme/);
    expect(await textOf(invoice())).not.toContain('Net before discount');
  });

  it('says who sells, and calls an invoice with tax by a registered seller a tax invoice', async () => {
    const seller = {
      ...ISSUER,
      legal_name: 'Acme Holdings (Pty) Ltd',
      address: '7 Dock Road\nCape Town',
      tax_number: '4012345678',
      registration_number: '2019/123456/07',
      phone: '+27 21 555 0100',
      email: 'accounts@acme.example',
      website: 'https://acme.example',
      bank_details: 'FNB\nAccount 62000000001',
    };
    const said = async (over: Partial<FinanceDocumentData> = {}, locale = 'en-ZA'): Promise<string> =>
      (await pagesOf(invoice(over), locale, seller)).join(' ');
    const text = await said();
    for (const words of ['Acme Holdings (Pty) Ltd', 'Bank details FNB Account 62000000001', 'Tax invoice'])
      expect(text).toContain(words);
    for (const value of ['7 Dock Road', seller.phone, seller.email, seller.website, seller.registration_number])
      expect(text).toContain(value);
    expect(text).toContain('Tax invoice INV-000001 · Acme Holdings (Pty) Ltd · Tax number: 4012345678');
    expect(await said({ tax_total: 0 })).not.toContain('Tax invoice');
    expect(await said({ document_type: 'bill' })).not.toMatch(/Tax invoice|Bank details/);
    expect(await said({}, 'de-DE')).toMatch(/Rechnung.+Registernummer: 2019.+Bankverbindung/);
    const long = { ...seller, address: Array.from({ length: 150 }, (_, index) => `row${String(index)}`).join('\n') };
    const pages = (await pagesOf(invoice(), 'en-ZA', long)).join(' ');
    for (const words of ['row0', 'row149', 'Kruger Farms', 'Amount due']) expect(pages).toContain(words);
  });

  it('says what is to be refunded of an invoice that was paid and then credited', async () => {
    const text = await textOf(invoice({ amount_credited: 1293.75, amount_due: 0, amount_to_refund: 293.75 }));
    expect(text).toContain('Credited -R 1 293,75 Amount due R 0,00 Amount to refund R 293,75');
    expect(await textOf(invoice())).not.toContain('Amount to refund');
  });

  it('is the same file, byte by byte, for the same document and locale', async () => {
    const make = async (document: FinanceDocumentData, locale: string): Promise<string> =>
      Buffer.from(await financeDocumentPdf(document, ISSUER, locale)).toString('base64');
    const first = await make(invoice(), 'en-ZA');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await make(invoice(), 'en-ZA')).toBe(first);
    expect(await make(invoice(), 'de-DE')).not.toBe(first);
    expect(await make(invoice({ amount_due: 999 }), 'en-ZA')).not.toBe(first);
  });

  it('prints Latin, Greek and Cyrillic letters, and puts something in the place of any other', async () => {
    const text = await textOf(
      invoice({
        contact_name: 'Žluťoučký kůň, Ελληνική Εταιρία, ООО «Ромашка», Công ty Việt',
        contact_address: '株式会社 山田\u0000\u200F 😀 e\u0301 Ǆ ἀ',
        lines: [line(1, { description: 'office ﬁle' })],
      }),
    );
    expect(text).toContain('Žluťoučký kůň, Ελληνική Εταιρία, ООО «Ромашка», Công ty Việt');
    expect(text).toContain('���� �� � é DŽ α');
    expect(text).toContain('office');
  });

  it('writes figures and days as the locale does, and an amount without its sign where the font has none', async () => {
    expect(await textOf(invoice({ currency: 'EUR' }), 'de-DE')).toContain('Offener Betrag 1.000,00 €');
    expect(await textOf(invoice({ currency: 'USD' }), 'en-US')).toContain('Amount due $1,000.00');
    expect(await textOf(invoice({ currency: 'JPY' }), 'en-US')).toContain('Amount due ¥1,000');
    expect(await textOf(invoice({ currency: 'KWD' }), 'en-GB')).toContain('Amount due KWD 1,000.000');
    expect(await textOf(invoice({ currency: 'INR' }), 'hi-IN')).toContain('INR 1,000.00');
    expect(await textOf(invoice(), 'ar-EG')).toContain('INV-000001');
    expect(await textOf(invoice(), 'fr-FR')).toContain('Échéance 21 déc. 2026');
  });

  it.each(LABEL_LANGUAGES)('fits its words in %s', async (language) => {
    const [text, ...more] = await pagesOf(invoice({ discount_total: 5, amount_credited: 1 }), language);
    expect(more).toEqual([]);
    expect(text).toContain('INV-000001');
  });

  it('goes on over pages, with the headings on each and every line there', async () => {
    const lines = Array.from({ length: 500 }, (_, index) =>
      line(index + 1, { description: `Item no.${String(index + 1)}!` }),
    );
    const pages = await pagesOf(invoice({ lines }));
    expect(pages.length).toBeGreaterThan(15);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${String(index + 1)} of ${String(pages.length)}`);
    }
    const text = pages.join(' ');
    for (const { description } of lines) expect(text).toContain(description);
    expect(pages.filter((page) => page.includes('Unit price')).length).toBe(
      pages.filter((page) => page.includes('Item no.')).length,
    );
    expect(pages.at(-1)).toContain('Amount due');
  }, 20_000);

  it('loses nothing of a text that is longer than a page', async () => {
    const words = Array.from({ length: 400 }, (_, index) => `w${String(index)}`).join('\n');
    const text = await textOf(
      invoice({
        lines: [line(1, { description: words, item_code: 'PUMP-1' })],
        notes: words,
        contact_address: words,
        terms: 'x'.repeat(5_000),
      }),
    );
    for (const word of words.split('\n')) expect(text.split(' ').filter((printed) => printed === word).length).toBe(3);
    expect(text.replaceAll(' ', '').match(/x{80,}/)).not.toBeNull();
    expect(text).toContain('Item code: PUMP-1');
    expect(text).toContain('Amount due');
  });

  it('marks a draft and a cancelled document on every page', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => line(index + 1));
    for (const page of await pagesOf(invoice({ status: 'draft', document_number: null, lines })))
      expect(page).toContain('DRAFT');
    expect(await textOf(invoice({ status: 'cancelled' }))).toContain('CANCELLED');
    expect(await textOf(invoice())).not.toMatch(/DRAFT|CANCELLED/);
  });

  it('tells no prices on a delivery note, and says what other types are', async () => {
    const note = await textOf(invoice({ document_type: 'delivery_note', document_number: 'DN-000001' }));
    expect(note).toContain('Deliver to');
    expect(note).not.toMatch(/450|1 125|Total/);
    expect(await textOf(invoice({ document_type: 'quote' }))).toContain('Valid until 21 Dec 2026');
    expect(await textOf(invoice({ document_type: 'bill' }))).toContain('Supplier');
    expect(await textOf(invoice({ document_type: 'credit_note', amount_paid: 0 }))).not.toContain('Amount due');
  });

  it('prints the whole of a reference, however long', async () => {
    const reference = Array.from({ length: 20 }, (_, index) => `order ${String(index)}`).join(' ');
    expect(await textOf(invoice({ reference }))).toContain('order 19');
  });

  it('is on Letter paper where that is in the printer', async () => {
    const pdf = await openPdf(await financeDocumentPdf(invoice(), { name: 'Acme', country: 'US' }, 'en-US'));
    expect(pdf.withPage(0, (page) => Math.round(pdf.module._FPDF_GetPageWidth(page)))).toBe(612);
    pdf.close();
  });
});
