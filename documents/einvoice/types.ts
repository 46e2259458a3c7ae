/** The four families of XML that are read: UBL 2.1, UN/CEFACT CII (Factur-X, ZUGFeRD 2, XRechnung), ZUGFeRD 1, Order-X. */
export type EInvoiceSyntax = 'ubl' | 'cii' | 'zugferd1' | 'order-x';

export type EInvoiceType = 'invoice' | 'credit_note' | 'purchase_order';

export type EInvoiceValue = string | number;

/** A line by column; amounts and quantities as numbers. */
export type EInvoiceLine = Partial<Record<EInvoiceColumn, EInvoiceValue>>;

export const einvoiceColumns = ['description', 'quantity', 'unit_price', 'total', 'tax_rate', 'sku', 'unit'] as const;
export type EInvoiceColumn = (typeof einvoiceColumns)[number];

/** What an XML invoice says, in our names of fields (dates ISO 8601, amounts numbers). Plain JSON. */
export interface EInvoice {
  syntax: EInvoiceSyntax;
  /** The specification identifier (BT-24): a URN that names profile and country rules. */
  profile?: string;
  document_type: EInvoiceType;
  /** UNTDID 1001: 380 invoice, 381 credit note, 220 order, … */
  type_code?: string;
  fields: Record<string, EInvoiceValue>;
  line_items: EInvoiceLine[];
}
