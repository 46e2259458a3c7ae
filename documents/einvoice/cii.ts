import { roundCents } from '../values/money.ts';
import type { EInvoice, EInvoiceLine, EInvoiceSyntax, EInvoiceValue } from './types.ts';
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
import { all, decimalOf, numberAt, one, textAt, type XmlElement } from './xml.ts';

/**
 * Reads UN/CEFACT Cross Industry Invoice D16B (Factur-X, ZUGFeRD 2, XRechnung in CII syntax), its forerunner in
 * ZUGFeRD 1.0 (other element names, the same tree) and the order message of Order-X. BT numbers are EN 16931's.
 */
export function readCii(root: XmlElement, syntax: EInvoiceSyntax): EInvoice {
  const context = one(root, 'ExchangedDocumentContext', 'SpecifiedExchangedDocumentContext');
  const document = one(root, 'ExchangedDocument', 'HeaderExchangedDocument');
  const trade = one(root, 'SupplyChainTradeTransaction', 'SpecifiedSupplyChainTradeTransaction');
  const agreement = one(trade, 'ApplicableHeaderTradeAgreement', 'ApplicableSupplyChainTradeAgreement');
  const settlement = one(trade, 'ApplicableHeaderTradeSettlement', 'ApplicableSupplyChainTradeSettlement');
  const code = textAt(document, 'TypeCode');
  const type = typeOfCode(code, syntax === 'order-x' ? 'purchase_order' : 'invoice');
  const profile = textAt(context, 'GuidelineSpecifiedDocumentContextParameter/ID');
  const fields = present({
    ...identityFields(type, textAt(document, 'ID'), dateAt(document, 'IssueDateTime')),
    ...(type === 'purchase_order' ? {} : referenceFields(agreement, settlement, type)),
    ...partyFields('vendor', one(agreement, 'SellerTradeParty')),
    ...partyFields('customer', one(agreement, 'BuyerTradeParty')),
    ...deliveryFields(one(trade, 'ApplicableHeaderTradeDelivery', 'ApplicableSupplyChainTradeDelivery')),
    ...amountFields(settlement),
    ...paymentFields(settlement),
  });
  return {
    syntax,
    ...(profile === undefined ? {} : { profile }),
    document_type: type,
    ...(code === undefined ? {} : { type_code: code }),
    fields: fields as Record<string, EInvoiceValue>,
    line_items: all(trade, 'IncludedSupplyChainTradeLineItem').flatMap(lineOf),
  };
}

type Values = Record<string, EInvoiceValue | undefined>;

/** Dates stand in a DateTimeString with a format; CII's referenced documents call it FormattedIssueDateTime. */
function dateAt(element: XmlElement | undefined, path: string): string | undefined {
  return isoDate(textAt(element, `${path}/DateTimeString`, `${path}/DateTime`, path));
}

function referenceFields(agreement: XmlElement | undefined, settlement: XmlElement | undefined, type: string): Values {
  const preceding = textAt(settlement, 'InvoiceReferencedDocument/IssuerAssignedID', 'InvoiceReferencedDocument/ID');
  return {
    purchase_order_number: textAt(
      agreement,
      'BuyerOrderReferencedDocument/IssuerAssignedID',
      'BuyerOrderReferencedDocument/ID',
    ),
    ...(type === 'credit_note' ? { original_invoice_number: preceding } : {}),
  };
}

function partyFields(role: 'vendor' | 'customer', party: XmlElement | undefined): Values {
  const address = one(party, 'PostalTradeAddress');
  const contact = one(party, 'DefinedTradeContact');
  const registrations = all(party, 'SpecifiedTaxRegistration/ID');
  const registered = (scheme: string): string | undefined =>
    registrations.find((id) => id.attributes['schemeID'] === scheme)?.text.trim();
  const values: Values = {
    [`${role}_name`]: textAt(party, 'Name'),
    [`${role}_address`]: addressText({
      lines: ['LineOne', 'LineTwo', 'LineThree'].map((name) => textAt(address, name)),
      town: textAt(address, 'CityName'),
      postCode: textAt(address, 'PostcodeCode'),
      region: textAt(address, 'CountrySubDivisionName'),
      country: textAt(address, 'CountryID'),
    }),
    [`${role}_tax_number`]: registered('VA') ?? registered('FC') ?? registrations[0]?.text.trim(),
  };
  if (role === 'customer') return values;
  return {
    ...values,
    vendor_vat_number: registered('VA'),
    vendor_phone: textAt(contact, 'TelephoneUniversalCommunication/CompleteNumber'),
    vendor_email: textAt(
      contact,
      'EmailURIUniversalCommunication/URIID',
      'EmailURIUniversalCommunication/CompleteNumber',
    ),
  };
}

function deliveryFields(delivery: XmlElement | undefined): Values {
  return {
    delivery_date: dateAt(delivery, 'ActualDeliverySupplyChainEvent/OccurrenceDateTime'),
    delivery_note_number: textAt(
      delivery,
      'DespatchAdviceReferencedDocument/IssuerAssignedID',
      'DeliveryNoteReferencedDocument/IssuerAssignedID',
      'DeliveryNoteReferencedDocument/ID',
    ),
  };
}

function amountFields(settlement: XmlElement | undefined): Values {
  const sums = one(
    settlement,
    'SpecifiedTradeSettlementHeaderMonetarySummation',
    'SpecifiedTradeSettlementMonetarySummation',
  );
  const currency = textAt(settlement, 'InvoiceCurrencyCode', 'OrderCurrencyCode');
  // BT-110 and BT-111: the tax may be stated again in the currency of the tax accounts.
  const taxes = all(sums, 'TaxTotalAmount');
  const tax = taxes.find((amount) => amount.attributes['currencyID'] === currency) ?? taxes[0];
  const rates = all(settlement, 'ApplicableTradeTax');
  const discount = numberAt(sums, 'AllowanceTotalAmount');
  const total = numberAt(sums, 'GrandTotalAmount');
  return {
    currency,
    subtotal: numberAt(sums, 'TaxBasisTotalAmount', 'LineTotalAmount'),
    tax: decimalOf(tax?.text),
    tax_rate: singleRate(rates.map((rate) => numberAt(rate, 'RateApplicablePercent', 'ApplicablePercent'))),
    discount: discount === 0 ? undefined : discount,
    shipping: shippingOf(settlement),
    total,
    // ZUGFeRD 1.0 need not say what is due: nothing was paid in advance then.
    amount_due: numberAt(sums, 'DuePayableAmount') ?? total,
  };
}

function shippingOf(settlement: XmlElement | undefined): number | undefined {
  const charges = all(settlement, 'SpecifiedTradeAllowanceCharge')
    .filter((entry) => textAt(entry, 'ChargeIndicator/Indicator', 'ChargeIndicator') === 'true')
    .filter((entry) => isFreight(textAt(entry, 'ReasonCode'), textAt(entry, 'Reason')))
    .map((entry) => numberAt(entry, 'ActualAmount') ?? 0);
  const services = all(settlement, 'SpecifiedLogisticsServiceCharge').map((e) => numberAt(e, 'AppliedAmount') ?? 0);
  const sum = [...charges, ...services].reduce((a, b) => a + b, 0);
  return sum === 0 ? undefined : roundCents(sum);
}

function paymentFields(settlement: XmlElement | undefined): Values {
  const means = all(settlement, 'SpecifiedTradeSettlementPaymentMeans');
  const account = means.map((m) => one(m, 'PayeePartyCreditorFinancialAccount')).find((found) => found);
  const bank = means.map((m) => one(m, 'PayeeSpecifiedCreditorFinancialInstitution')).find((found) => found);
  const terms = all(settlement, 'SpecifiedTradePaymentTerms');
  const iban = textAt(account, 'IBANID');
  return {
    iban: asIban(iban),
    bank_account: textAt(account, 'ProprietaryID') ?? (asIban(iban) === undefined ? iban : undefined),
    swift: asBic(textAt(bank, 'BICID')),
    bank_name: textAt(bank, 'Name'),
    due_date: terms.map((term) => dateAt(term, 'DueDateDateTime')).find((date) => date !== undefined),
    payment_terms: terms.map((term) => textAt(term, 'Description')).find((text) => text !== undefined),
  };
}

/** Lines of the EXTENDED profile that only head or explain others: their amounts stand in the lines below them. */
const HEADINGS = new Set(['GROUP', 'INFORMATION']);

function lineOf(item: XmlElement): EInvoiceLine[] {
  const document = one(item, 'AssociatedDocumentLineDocument');
  if (HEADINGS.has(textAt(document, 'LineStatusReasonCode') ?? '')) return [];
  const product = one(item, 'SpecifiedTradeProduct');
  const agreement = one(item, 'SpecifiedLineTradeAgreement', 'SpecifiedSupplyChainTradeAgreement');
  const delivery = one(item, 'SpecifiedLineTradeDelivery', 'SpecifiedSupplyChainTradeDelivery');
  const settlement = one(item, 'SpecifiedLineTradeSettlement', 'SpecifiedSupplyChainTradeSettlement');
  const price = one(agreement, 'NetPriceProductTradePrice', 'GrossPriceProductTradePrice');
  const quantity = one(delivery, 'BilledQuantity', 'RequestedQuantity', 'AgreedQuantity');
  const line: EInvoiceLine = present({
    description: textAt(product, 'Name', 'Description') ?? textAt(document, 'IncludedNote/Content'),
    quantity: numberAt(delivery, 'BilledQuantity', 'RequestedQuantity', 'AgreedQuantity'),
    unit_price: pricePerUnit(numberAt(price, 'ChargeAmount'), numberAt(price, 'BasisQuantity')),
    total: numberAt(
      settlement,
      'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
      'SpecifiedTradeSettlementMonetarySummation/LineTotalAmount',
    ),
    tax_rate: numberAt(settlement, 'ApplicableTradeTax/RateApplicablePercent', 'ApplicableTradeTax/ApplicablePercent'),
    sku: textAt(product, 'SellerAssignedID', 'GlobalID', 'BuyerAssignedID'),
    unit: quantity?.attributes['unitCode'],
  });
  // ZUGFeRD 1.0 BASIC: a line may be a remark with neither a quantity nor an amount.
  return line.quantity === undefined && line.total === undefined ? [] : [line];
}

/** BT-146 is the price of BT-149 units: 12.50 for 100 pieces is 0.125 each. */
export function pricePerUnit(price: number | undefined, basis: number | undefined): number | undefined {
  if (price === undefined || basis === undefined || basis <= 0 || basis === 1) return price;
  return Math.round((price / basis) * 1e6) / 1e6;
}
