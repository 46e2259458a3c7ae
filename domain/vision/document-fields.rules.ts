import type { ModelFieldDefinition } from '../contracts/vision-models.ts';

/** What a correction may say of a field, and how a model lists it. */
export type FieldKind = 'text' | 'number' | 'date' | 'time' | 'currency' | 'boolean' | 'list';

export type FieldKinds = Readonly<Record<string, FieldKind>>;

function kinds(names: Partial<Record<FieldKind, string>>): FieldKinds {
  const pairs = (Object.entries(names) as [FieldKind, string][]).flatMap(([kind, words]) =>
    words.split(' ').map((name) => [name, kind] as const),
  );
  return Object.fromEntries(pairs);
}

const TRADE = kinds({
  text: 'invoice_number purchase_order_number vendor_name vendor_address vendor_tax_number vendor_phone vendor_email customer_name customer_address customer_tax_number bank_account bank_name iban swift payment_terms',
  date: 'invoice_date due_date',
  currency: 'currency',
  number: 'subtotal tax discount shipping total amount_due',
});
const IDENTITY = kinds({
  text: 'document_number surname given_names sex nationality issuing_country personal_number address mrz',
  date: 'date_of_birth issue_date expiry_date',
});
const STATEMENT = kinds({
  text: 'bank_name account_holder account_number',
  date: 'statement_period_start statement_period_end',
  currency: 'currency',
  number: 'opening_balance closing_balance total_credits total_debits',
});

/** Fields of the pre-trained types and what their values are (decisions §9). */
const FIELDS_BY_TYPE: Readonly<Record<string, FieldKinds>> = {
  invoice: TRADE,
  bill: TRADE,
  credit_note: { ...TRADE, ...kinds({ text: 'credit_note_number original_invoice_number', date: 'credit_note_date' }) },
  purchase_order: { ...TRADE, ...kinds({ text: 'order_number shipping_address', date: 'order_date delivery_date' }) },
  delivery_note: {
    ...TRADE,
    ...kinds({ text: 'delivery_note_number order_number shipping_address', date: 'delivery_date order_date' }),
  },
  receipt: kinds({
    text: 'merchant_name merchant_address merchant_phone merchant_tax_number receipt_number payment_method card_last4',
    date: 'date',
    time: 'time',
    currency: 'currency',
    number: 'subtotal tax tip total cash change',
  }),
  bank_statement: STATEMENT,
  supplier_statement: {
    ...STATEMENT,
    ...kinds({
      text: 'vendor_name vendor_address vendor_tax_number customer_name customer_address statement_number',
      date: 'statement_date',
      number: 'amount_due total',
    }),
  },
  passport: IDENTITY,
  id_document: IDENTITY,
  drivers_license: IDENTITY,
  proof_of_address: kinds({ text: 'name address issuer account_number', date: 'date' }),
  resume: kinds({ text: 'name email phone address', list: 'skills education experience' }),
  contract: kinds({
    text: 'title governing_law',
    list: 'parties',
    date: 'effective_date expiry_date',
    number: 'value',
  }),
};

/** Types of a custom model's fields, by the words its owner may use for them. */
const KIND_OF_TYPE: Readonly<Record<string, FieldKind>> = {
  number: 'number',
  integer: 'number',
  money: 'number',
  currency: 'number',
  amount: 'number',
  date: 'date',
  boolean: 'boolean',
  table: 'list',
};

/** The fields of a pre-trained type; none of one that is unknown. */
export function fieldsOfType(type: string): FieldKinds {
  return Object.hasOwn(FIELDS_BY_TYPE, type) ? (FIELDS_BY_TYPE[type] ?? {}) : {};
}

/** The fields of a custom model that a correction may name; its tables are line items. */
export function fieldsOfModel(fields: readonly ModelFieldDefinition[]): FieldKinds {
  const scalars = fields.filter(({ type }) => type !== 'table');
  return Object.fromEntries(scalars.map(({ name, type }) => [name, KIND_OF_TYPE[type] ?? 'text']));
}
