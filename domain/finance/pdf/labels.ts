import type { DocumentType } from '../../contracts/finance.ts';

/** The words on a document. */
export interface Labels {
  title: Readonly<Record<DocumentType, string>>;
  /** Of an invoice with tax, by a seller who is registered for it. */
  taxInvoice: string;
  draft: string;
  cancelled: string;
  number: string;
  date: string;
  due: string;
  validUntil: string;
  reference: string;
  /** Above the other side, by who it is. */
  billTo: string;
  supplier: string;
  deliverTo: string;
  taxNumber: string;
  registrationNumber: string;
  description: string;
  quantity: string;
  unitPrice: string;
  discount: string;
  tax: string;
  taxRate: string;
  amount: string;
  itemCode: string;
  beforeDiscount: string;
  subtotal: string;
  total: string;
  paid: string;
  credited: string;
  amountDue: string;
  toRefund: string;
  bankDetails: string;
  net: string;
  notes: string;
  terms: string;
  page: (page: number, of: number) => string;
}

const en: Labels = {
  title: {
    quote: 'Quote',
    invoice: 'Invoice',
    credit_note: 'Credit note',
    bill: 'Bill',
    purchase_order: 'Purchase order',
    delivery_note: 'Delivery note',
  },
  taxInvoice: 'Tax invoice',
  draft: 'DRAFT',
  cancelled: 'CANCELLED',
  number: 'Number',
  date: 'Date',
  due: 'Due date',
  validUntil: 'Valid until',
  reference: 'Reference',
  billTo: 'To',
  supplier: 'Supplier',
  deliverTo: 'Deliver to',
  taxNumber: 'Tax number',
  registrationNumber: 'Registration number',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  discount: 'Discount',
  tax: 'Tax',
  taxRate: 'Tax rate',
  amount: 'Amount',
  itemCode: 'Item code',
  beforeDiscount: 'Net before discount',
  subtotal: 'Subtotal',
  total: 'Total',
  paid: 'Paid',
  credited: 'Credited',
  amountDue: 'Amount due',
  toRefund: 'Amount to refund',
  bankDetails: 'Bank details',
  net: 'Net',
  notes: 'Notes',
  terms: 'Terms',
  page: (page, of) => `Page ${String(page)} of ${String(of)}`,
};

const de: Labels = {
  title: {
    quote: 'Angebot',
    invoice: 'Rechnung',
    credit_note: 'Gutschrift',
    bill: 'Eingangsrechnung',
    purchase_order: 'Bestellung',
    delivery_note: 'Lieferschein',
  },
  taxInvoice: 'Rechnung',
  draft: 'ENTWURF',
  cancelled: 'STORNIERT',
  number: 'Nummer',
  date: 'Datum',
  due: 'Fällig am',
  validUntil: 'Gültig bis',
  reference: 'Referenz',
  billTo: 'An',
  supplier: 'Lieferant',
  deliverTo: 'Lieferung an',
  taxNumber: 'Steuernummer',
  registrationNumber: 'Registernummer',
  description: 'Beschreibung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  discount: 'Rabatt',
  tax: 'Steuer',
  taxRate: 'Steuersatz',
  amount: 'Betrag',
  itemCode: 'Artikelnummer',
  beforeDiscount: 'Netto vor Rabatt',
  subtotal: 'Zwischensumme',
  total: 'Gesamtbetrag',
  paid: 'Bezahlt',
  credited: 'Gutgeschrieben',
  amountDue: 'Offener Betrag',
  toRefund: 'Zu erstatten',
  bankDetails: 'Bankverbindung',
  net: 'Netto',
  notes: 'Hinweise',
  terms: 'Bedingungen',
  page: (page, of) => `Seite ${String(page)} von ${String(of)}`,
};

const fr: Labels = {
  title: {
    quote: 'Devis',
    invoice: 'Facture',
    credit_note: 'Avoir',
    bill: 'Facture fournisseur',
    purchase_order: 'Bon de commande',
    delivery_note: 'Bon de livraison',
  },
  taxInvoice: 'Facture',
  draft: 'BROUILLON',
  cancelled: 'ANNULÉ',
  number: 'Numéro',
  date: 'Date',
  due: 'Échéance',
  validUntil: "Valable jusqu'au",
  reference: 'Référence',
  billTo: 'À',
  supplier: 'Fournisseur',
  deliverTo: 'Livrer à',
  taxNumber: 'Numéro fiscal',
  registrationNumber: 'Numéro d’immatriculation',
  description: 'Description',
  quantity: 'Quantité',
  unitPrice: 'Prix unitaire',
  discount: 'Remise',
  tax: 'Taxe',
  taxRate: 'Taux de taxe',
  amount: 'Montant',
  itemCode: 'Code article',
  beforeDiscount: 'Net avant remise',
  subtotal: 'Sous-total',
  total: 'Total',
  paid: 'Payé',
  credited: 'Crédité',
  amountDue: 'Reste à payer',
  toRefund: 'À rembourser',
  bankDetails: 'Coordonnées bancaires',
  net: 'Net',
  notes: 'Remarques',
  terms: 'Conditions',
  page: (page, of) => `Page ${String(page)} sur ${String(of)}`,
};

const es: Labels = {
  title: {
    quote: 'Presupuesto',
    invoice: 'Factura',
    credit_note: 'Nota de crédito',
    bill: 'Factura de proveedor',
    purchase_order: 'Orden de compra',
    delivery_note: 'Albarán',
  },
  taxInvoice: 'Factura',
  draft: 'BORRADOR',
  cancelled: 'ANULADO',
  number: 'Número',
  date: 'Fecha',
  due: 'Vencimiento',
  validUntil: 'Válido hasta',
  reference: 'Referencia',
  billTo: 'Para',
  supplier: 'Proveedor',
  deliverTo: 'Entregar a',
  taxNumber: 'Número fiscal',
  registrationNumber: 'Número de registro',
  description: 'Descripción',
  quantity: 'Cantidad',
  unitPrice: 'Precio unitario',
  discount: 'Descuento',
  tax: 'Impuesto',
  taxRate: 'Tipo',
  amount: 'Importe',
  itemCode: 'Código',
  beforeDiscount: 'Neto antes del descuento',
  subtotal: 'Subtotal',
  total: 'Total',
  paid: 'Pagado',
  credited: 'Abonado',
  amountDue: 'Importe pendiente',
  toRefund: 'Por reembolsar',
  bankDetails: 'Datos bancarios',
  net: 'Neto',
  notes: 'Notas',
  terms: 'Condiciones',
  page: (page, of) => `Página ${String(page)} de ${String(of)}`,
};

const BY_LANGUAGE: Readonly<Record<string, Labels>> = { de, en, es, fr };

/** Languages whose words we have; other locales are written in English with their own figures and dates. */
export const LABEL_LANGUAGES = Object.keys(BY_LANGUAGE);

export function labelsFor(locale: string): Labels {
  return BY_LANGUAGE[new Intl.Locale(locale).language] ?? en;
}
