import { describe, expect, test } from '@jest/globals';
import { extractFields } from '../../documents/extract/extract.ts';
import { type DocumentType, documentTypes } from '../../documents/index.ts';
import { typedPage } from './support.ts';

const names = (text: string): string[] => text.trim().split(/\s+/);

const TRADE = names(`
  invoice_number invoice_date due_date purchase_order_number vendor_name vendor_address vendor_tax_number vendor_phone
  vendor_email customer_name customer_address customer_tax_number currency subtotal tax discount shipping total amount_due
  bank_account bank_name iban swift payment_terms`);
const IDENTITY = names(`
  document_number surname given_names date_of_birth sex nationality issuing_country issue_date expiry_date personal_number
  address mrz`);

/** What decisions §9 promises; a type that is missing here is said there to be analogous, and is held by its values only. */
const PROMISED: Partial<Record<DocumentType, string[]>> = {
  invoice: TRADE,
  receipt: names(`
    merchant_name merchant_address merchant_phone merchant_tax_number receipt_number date time currency subtotal tax tip total
    payment_method card_last4 cash change`),
  bank_statement: names(`
    bank_name account_holder account_number statement_period_start statement_period_end opening_balance closing_balance
    total_credits total_debits currency`),
  passport: IDENTITY,
  id_document: IDENTITY,
  drivers_license: IDENTITY,
  proof_of_address: names('name address date issuer account_number'),
  resume: names('name email phone address skills education experience'),
  contract: names('title parties effective_date expiry_date governing_law value'),
};

const TRADE_PAGE = [
  'Acme Hardware Ltd                         INVOICE',
  '12 Mill Street, London SW1A 1AA           Invoice number: INV-1044',
  'VAT No: GB123456789                       Invoice date: 12 March 2024',
  'sales@acme.example                        Due date: 11 April 2024',
  'Bill to',
  'Borealis Ltd',
  '',
  'Description            Qty     Unit price      Amount',
  'Steel hinge             2         25.00         50.00',
  'Door handle             1         50.00         50.00',
  '',
  'Subtotal                                       100.00',
  'VAT 20%                                         20.00',
  'Total GBP                                      120.00',
  'IBAN GB82 WEST 1234 5698 7654 32   SWIFT: WESTGB2L',
];

const PAGES: Partial<Record<DocumentType, string[]>> = {
  invoice: TRADE_PAGE,
  receipt: [
    'CORNER CAFE',
    '5 High Street, London',
    'Receipt no: 88123',
    '12/03/2024 14:22',
    'Flat white      3.50',
    'Croissant       2.50',
    'Total GBP       6.00',
    'Cash           10.00',
    'Change          4.00',
  ],
  bank_statement: [
    'Northern Bank',
    'Account holder: Jane Miller',
    'Account number: 12345678',
    'Statement period: 01 March 2024 to 31 March 2024',
    'Opening balance     GBP 100.00',
    'Closing balance     GBP 150.00',
    'Date          Description       Debit     Credit    Balance',
    '02 Mar 2024   Salary                      80.00     180.00',
    '05 Mar 2024   Rent              30.00               150.00',
  ],
  passport: [
    'PASSPORT',
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ],
  resume: [
    'Jane Miller',
    'jane@miller.example   +44 20 7946 0018',
    'Skills',
    'TypeScript, PostgreSQL',
    'Education',
    'BSc Physics, University of Leeds, 2010 - 2013',
    'Experience',
    'Engineer, Acme Ltd, 2014 - 2020',
  ],
  contract: [
    'SERVICE AGREEMENT',
    'This agreement is made on 1 March 2024 between Acme Ltd and Borealis Ltd.',
    'This agreement is governed by the laws of England and Wales.',
  ],
};

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** The kind of value that a field's name promises. */
function kindOf(name: string): [kind: string, holds: (value: unknown) => boolean] {
  if (name === 'currency') return ['ISO 4217', (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value)];
  if (/(?:^|_)date(?:_|$)|_period_(?:start|end)$/.test(name)) return ['ISO date', isDate];
  if (
    /^(?:subtotal|tax|tax_rate|discount|shipping|total|amount_due|tip|cash|change|total_credits|total_debits)$/.test(
      name,
    )
  )
    return ['number', Number.isFinite];
  if (/^(?:opening|closing|previous)_balance$/.test(name)) return ['number', Number.isFinite];
  if (/^(?:skills|education|experience|parties)$/.test(name)) return ['list', Array.isArray];
  if (name === 'value') return ['text or number', (value) => isText(value) || Number.isFinite(value)];
  if (name === 'mrz') return ['zone', (value) => value !== null && value !== undefined];
  return ['text', isText];
}

describe('field names and values', () => {
  test.each([...documentTypes])('a %s has plain names, and values of the kind that their names promise', (type) => {
    for (const lines of Object.values(PAGES)) {
      const { fields } = extractFields([typedPage(lines, { width: 1000 })], { document_type: type });
      for (const [name, { value, confidence }] of Object.entries(fields)) {
        const [kind, holds] = kindOf(name);
        expect({ name, value, kind, holds: holds(value) }).toEqual({ name, value, kind, holds: true });
        expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThan(1);
      }
    }
  });

  test.each(Object.keys(PAGES) as DocumentType[])('what a %s shows goes by the promised names', (type) => {
    const { fields } = extractFields([typedPage(PAGES[type]!, { width: 1000 })], { document_type: type });
    const promised = Object.keys(fields).filter((name) => PROMISED[type]!.includes(name));
    expect({ type, read: promised.length >= 3 }).toEqual({ type, read: true });
  });
});
