import { roundCents } from '../values/money.ts';
import { pricePerUnit } from './cii.ts';
import type { EInvoice, EInvoiceLine, EInvoiceType, EInvoiceValue } from './types.ts';
import {
  addressText,
  asBic,
  asIban,
  identityFields,
  isFreight,
  isoDate,
  present,
  singleRate,
  typeOfCode,
} from './values.ts';
import { all, numberAt, one, textAt, type XmlElement } from './xml.ts';

type Values = Record<string, EInvoiceValue | undefined>;

const ROOT_TYPES: Record<string, EInvoiceType> = { CreditNote: 'credit_note', Order: 'purchase_order' };

/** Reads OASIS UBL 2.1 Invoice, CreditNote and Order (XRechnung in UBL syntax, Peppol BIS 3). BT numbers are EN 16931's. */
export function readUbl(root: XmlElement): EInvoice {
  const code = textAt(root, 'InvoiceTypeCode', 'CreditNoteTypeCode', 'OrderTypeCode');
  const type = typeOfCode(code, ROOT_TYPES[root.name] ?? 'invoice');
  const profile = textAt(root, 'CustomizationID');
  const fields = present({
    ...identityFields(type, textAt(root, 'ID'), isoDate(textAt(root, 'IssueDate'))),
    ...(type === 'purchase_order' ? {} : { purchase_order_number: textAt(root, 'OrderReference/ID') }),
    ...(type === 'credit_note'
      ? { original_invoice_number: textAt(root, 'BillingReference/InvoiceDocumentReference/ID') }
      : {}),
    ...partyFields('vendor', one(root, 'AccountingSupplierParty/Party', 'SellerSupplierParty/Party')),
    ...partyFields('customer', one(root, 'AccountingCustomerParty/Party', 'BuyerCustomerParty/Party')),
    delivery_date: isoDate(textAt(root, 'Delivery/ActualDeliveryDate')),
    delivery_note_number: textAt(root, 'DespatchDocumentReference/ID'),
    ...amountFields(root),
    ...paymentFields(root),
  });
  const lines = [...all(root, 'InvoiceLine'), ...all(root, 'CreditNoteLine'), ...all(root, 'OrderLine/LineItem')];
  return {
    syntax: 'ubl',
    ...(profile === undefined ? {} : { profile }),
    document_type: type,
    ...(code === undefined ? {} : { type_code: code }),
    fields: fields,
    line_items: lines.map(lineOf),
  };
}

function partyFields(role: 'vendor' | 'customer', party: XmlElement | undefined): Values {
  const address = one(party, 'PostalAddress');
  const schemes = all(party, 'PartyTaxScheme');
  // BT-31 has the tax scheme VAT; BT-32, the local tax number, has any other.
  const isVat = (scheme: XmlElement): boolean => textAt(scheme, 'TaxScheme/ID')?.toUpperCase() === 'VAT';
  const vat = textAt(schemes.find(isVat), 'CompanyID');
  const values: Values = {
    [`${role}_name`]: textAt(party, 'PartyLegalEntity/RegistrationName', 'PartyName/Name'),
    [`${role}_address`]: addressText({
      lines: [
        [textAt(address, 'StreetName'), textAt(address, 'BuildingNumber')].filter((part) => part).join(' '),
        textAt(address, 'AdditionalStreetName'),
        ...all(address, 'AddressLine').map((line) => textAt(line, 'Line')),
      ],
      town: textAt(address, 'CityName'),
      postCode: textAt(address, 'PostalZone'),
      region: textAt(address, 'CountrySubentity'),
      country: textAt(address, 'Country/IdentificationCode'),
    }),
    [`${role}_tax_number`]: vat ?? textAt(party, 'PartyTaxScheme/CompanyID'),
  };
  if (role === 'customer') return values;
  return {
    ...values,
    vendor_vat_number: vat,
    vendor_phone: textAt(party, 'Contact/Telephone'),
    vendor_email: textAt(party, 'Contact/ElectronicMail'),
  };
}

function amountFields(root: XmlElement): Values {
  const sums = one(root, 'LegalMonetaryTotal', 'AnticipatedMonetaryTotal');
  const currency = textAt(root, 'DocumentCurrencyCode', 'OrderCurrencyCode');
  const totals = all(root, 'TaxTotal');
  const inCurrency = (total: XmlElement): boolean => one(total, 'TaxAmount')?.attributes['currencyID'] === currency;
  const tax = totals.find(inCurrency) ?? totals[0];
  const net = numberAt(sums, 'TaxExclusiveAmount', 'LineExtensionAmount');
  const total = numberAt(sums, 'TaxInclusiveAmount');
  const discount = numberAt(sums, 'AllowanceTotalAmount');
  const rates = all(root, 'TaxTotal/TaxSubtotal/TaxCategory');
  return {
    currency,
    subtotal: net,
    tax: numberAt(tax, 'TaxAmount'),
    tax_rate: singleRate(rates.map((rate) => numberAt(rate, 'Percent'))),
    discount: discount === 0 ? undefined : discount,
    shipping: shippingOf(root),
    // An order need not say its total with tax: what is payable is then all that there is.
    total: total ?? numberAt(sums, 'PayableAmount'),
    amount_due: numberAt(sums, 'PayableAmount'),
  };
}

function shippingOf(root: XmlElement): number | undefined {
  const sum = all(root, 'AllowanceCharge')
    .filter((entry) => textAt(entry, 'ChargeIndicator') === 'true')
    .filter((entry) => isFreight(textAt(entry, 'AllowanceChargeReasonCode'), textAt(entry, 'AllowanceChargeReason')))
    .reduce((total, entry) => total + (numberAt(entry, 'Amount') ?? 0), 0);
  return sum === 0 ? undefined : roundCents(sum);
}

function paymentFields(root: XmlElement): Values {
  const account = one(root, 'PaymentMeans/PayeeFinancialAccount');
  const branch = one(account, 'FinancialInstitutionBranch');
  const number = textAt(account, 'ID');
  const iban = asIban(number);
  return {
    iban,
    bank_account: iban === undefined ? number : undefined,
    swift: asBic(textAt(branch, 'ID')) ?? asBic(textAt(branch, 'FinancialInstitution/ID')),
    bank_name: textAt(branch, 'FinancialInstitution/Name', 'Name'),
    due_date: isoDate(textAt(root, 'DueDate', 'PaymentMeans/PaymentDueDate', 'PaymentTerms/PaymentDueDate')),
    payment_terms: textAt(root, 'PaymentTerms/Note'),
  };
}

function lineOf(line: XmlElement): EInvoiceLine {
  const item = one(line, 'Item');
  const quantities = ['InvoicedQuantity', 'CreditedQuantity', 'Quantity'];
  return present({
    description: textAt(item, 'Name', 'Description') ?? textAt(line, 'Note'),
    quantity: numberAt(line, ...quantities),
    unit_price: pricePerUnit(numberAt(line, 'Price/PriceAmount'), numberAt(line, 'Price/BaseQuantity')),
    total: numberAt(line, 'LineExtensionAmount'),
    tax_rate: numberAt(item, 'ClassifiedTaxCategory/Percent'),
    sku: textAt(item, 'SellersItemIdentification/ID', 'StandardItemIdentification/ID', 'BuyersItemIdentification/ID'),
    unit: one(line, ...quantities)?.attributes['unitCode'],
  });
}
