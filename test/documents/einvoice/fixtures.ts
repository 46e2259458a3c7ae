/** E-invoices made for these tests after the standards: EN 16931 in both syntaxes, ZUGFeRD 1.0 and Order-X. */
import { PDFDocument, StandardFonts } from 'pdf-lib';

const cdt = (value: string): string => `<udt:DateTimeString format="102">${value}</udt:DateTimeString>`;

export interface CiiOptions {
  profile?: string;
  typeCode?: string;
  lines?: string;
  number?: string;
  settlementExtra?: string;
}

const CII_LINE = `
  <ram:IncludedSupplyChainTradeLineItem>
    <ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID></ram:AssociatedDocumentLineDocument>
    <ram:SpecifiedTradeProduct>
      <ram:GlobalID schemeID="0160">4012345001235</ram:GlobalID>
      <ram:SellerAssignedID>TB100A4</ram:SellerAssignedID>
      <ram:Name>Trennblätter A4</ram:Name>
    </ram:SpecifiedTradeProduct>
    <ram:SpecifiedLineTradeAgreement>
      <ram:GrossPriceProductTradePrice><ram:ChargeAmount>12.90</ram:ChargeAmount></ram:GrossPriceProductTradePrice>
      <ram:NetPriceProductTradePrice><ram:ChargeAmount>9.9000</ram:ChargeAmount></ram:NetPriceProductTradePrice>
    </ram:SpecifiedLineTradeAgreement>
    <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="H87">120.0000</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
    <ram:SpecifiedLineTradeSettlement>
      <ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent></ram:ApplicableTradeTax>
      <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>1188.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
    </ram:SpecifiedLineTradeSettlement>
  </ram:IncludedSupplyChainTradeLineItem>
  <ram:IncludedSupplyChainTradeLineItem>
    <ram:AssociatedDocumentLineDocument><ram:LineID>2</ram:LineID></ram:AssociatedDocumentLineDocument>
    <ram:SpecifiedTradeProduct><ram:Name>Schrauben M6</ram:Name></ram:SpecifiedTradeProduct>
    <ram:SpecifiedLineTradeAgreement>
      <ram:NetPriceProductTradePrice><ram:ChargeAmount>12.50</ram:ChargeAmount><ram:BasisQuantity unitCode="H87">100</ram:BasisQuantity></ram:NetPriceProductTradePrice>
    </ram:SpecifiedLineTradeAgreement>
    <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="H87">400</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
    <ram:SpecifiedLineTradeSettlement>
      <ram:ApplicableTradeTax><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
      <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>50.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
    </ram:SpecifiedLineTradeSettlement>
  </ram:IncludedSupplyChainTradeLineItem>`;

/** Factur-X / ZUGFeRD 2 / XRechnung in CII syntax; 1,238.00 net, 235.22 tax, 1,473.22 gross, 100.00 prepaid. */
export function ciiInvoice(options: CiiOptions = {}): string {
  const { profile = 'urn:cen.eu:en16931:2017', typeCode = '380', lines = CII_LINE, number = 'RE-2026/0042' } = options;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${profile}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>${number}</ram:ID><ram:TypeCode>${typeCode}</ram:TypeCode><ram:IssueDateTime>${cdt('20260304')}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>${lines}
  <ram:ApplicableHeaderTradeAgreement>
    <ram:SellerTradeParty>
      <ram:Name>Lieferant GmbH &amp; Co. KG</ram:Name>
      <ram:DefinedTradeContact>
        <ram:TelephoneUniversalCommunication><ram:CompleteNumber>+49 89 123456</ram:CompleteNumber></ram:TelephoneUniversalCommunication>
        <ram:EmailURIUniversalCommunication><ram:URIID>kasse@lieferant.example</ram:URIID></ram:EmailURIUniversalCommunication>
      </ram:DefinedTradeContact>
      <ram:PostalTradeAddress><ram:PostcodeCode>80333</ram:PostcodeCode><ram:LineOne>Lieferantenstraße 20</ram:LineOne><ram:CityName>München</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
      <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
      <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration>
    </ram:SellerTradeParty>
    <ram:BuyerTradeParty>
      <ram:Name>Kunden AG Mitte</ram:Name>
      <ram:PostalTradeAddress><ram:PostcodeCode>69876</ram:PostcodeCode><ram:LineOne>Hans Muster</ram:LineOne><ram:LineTwo>Kundenstraße 15</ram:LineTwo><ram:CityName>Frankfurt</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
    </ram:BuyerTradeParty>
    <ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO-7788</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${cdt('20260301')}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
  <ram:ApplicableHeaderTradeSettlement>
    <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
    <ram:SpecifiedTradeSettlementPaymentMeans>
      <ram:TypeCode>58</ram:TypeCode>
      <ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02 1203 0000 0000 2020 51</ram:IBANID></ram:PayeePartyCreditorFinancialAccount>
      <ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>BYLADEM1001</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution>
    </ram:SpecifiedTradeSettlementPaymentMeans>
    <ram:ApplicableTradeTax><ram:CalculatedAmount>235.22</ram:CalculatedAmount><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent></ram:ApplicableTradeTax>
    <ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>true</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>10.00</ram:ActualAmount><ram:Reason>Versandkosten</ram:Reason></ram:SpecifiedTradeAllowanceCharge>
    <ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>10.00</ram:ActualAmount><ram:Reason>Rabatt</ram:Reason></ram:SpecifiedTradeAllowanceCharge>
    <ram:SpecifiedTradePaymentTerms><ram:Description>Zahlbar innerhalb
      30 Tagen</ram:Description><ram:DueDateDateTime>${cdt('20260403')}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
    <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      <ram:LineTotalAmount>1238.00</ram:LineTotalAmount><ram:ChargeTotalAmount>10.00</ram:ChargeTotalAmount><ram:AllowanceTotalAmount>10.00</ram:AllowanceTotalAmount>
      <ram:TaxBasisTotalAmount>1238.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="CHF">225.00</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">235.22</ram:TaxTotalAmount>
      <ram:GrandTotalAmount>1473.22</ram:GrandTotalAmount><ram:TotalPrepaidAmount>100.00</ram:TotalPrepaidAmount><ram:DuePayableAmount>1373.22</ram:DuePayableAmount>
    </ram:SpecifiedTradeSettlementHeaderMonetarySummation>${options.settlementExtra ?? ''}
  </ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;
}

/** Factur-X MINIMUM: an invoice of a dozen elements, no lines, no address beyond the country. */
export const minimumInvoice = `<?xml version="1.0"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:factur-x.eu:1p0:minimum</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>FA-2026-17</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>${cdt('20260115')}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Au bon moulin</ram:Name><ram:PostalTradeAddress><ram:CountryID>FR</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">FR11999999998</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Ma jolie boutique</ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery/>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>624.90</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">46.25</ram:TaxTotalAmount><ram:GrandTotalAmount>671.15</ram:GrandTotalAmount><ram:DuePayableAmount>470.15</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

/** ZUGFeRD 1.0, BASIC: the names of its elements are CII's of 2013. */
export const zugferd1Invoice = `<?xml version="1.0" encoding="ISO-8859-1"?>
<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15">
<rsm:SpecifiedExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:ferd:CrossIndustryDocument:invoice:1p0:basic</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:SpecifiedExchangedDocumentContext>
<rsm:HeaderExchangedDocument><ram:ID>471102</ram:ID><ram:Name>RECHNUNG</ram:Name><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>${cdt('20130305')}</ram:IssueDateTime></rsm:HeaderExchangedDocument>
<rsm:SpecifiedSupplyChainTradeTransaction>
<ram:ApplicableSupplyChainTradeAgreement><ram:SellerTradeParty><ram:Name>Bäckerei Grün</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>80333</ram:PostcodeCode><ram:LineOne>Ofenweg 1</ram:LineOne><ram:CityName>München</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Kunden Mitte AG</ram:Name></ram:BuyerTradeParty></ram:ApplicableSupplyChainTradeAgreement>
<ram:ApplicableSupplyChainTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
<ram:ApplicableTradeTax><ram:CalculatedAmount currencyID="EUR">37.62</ram:CalculatedAmount><ram:ApplicablePercent>19.00</ram:ApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementMonetarySummation><ram:LineTotalAmount currencyID="EUR">198.00</ram:LineTotalAmount><ram:TaxBasisTotalAmount currencyID="EUR">198.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">37.62</ram:TaxTotalAmount><ram:GrandTotalAmount currencyID="EUR">235.62</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementMonetarySummation></ram:ApplicableSupplyChainTradeSettlement>
<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:IncludedNote><ram:Content>Wir erlauben uns zu berechnen:</ram:Content></ram:IncludedNote></ram:AssociatedDocumentLineDocument></ram:IncludedSupplyChainTradeLineItem>
<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedSupplyChainTradeDelivery><ram:BilledQuantity unitCode="C62">20.0000</ram:BilledQuantity></ram:SpecifiedSupplyChainTradeDelivery><ram:SpecifiedSupplyChainTradeSettlement><ram:SpecifiedTradeSettlementMonetarySummation><ram:LineTotalAmount currencyID="EUR">198.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementMonetarySummation></ram:SpecifiedSupplyChainTradeSettlement><ram:SpecifiedTradeProduct><ram:Name>Brötchen</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>
</rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>`;

/** Order-X 1.0: an order of one line. */
export const orderX = `<?xml version="1.0" encoding="UTF-8"?>
<rsm:SCRDMCCBDACIOMessageStructure xmlns:rsm="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:128"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:128">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:order-x.eu:1p0:basic</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>PO123456789</ram:ID><ram:TypeCode>220</ram:TypeCode><ram:IssueDateTime>${cdt('20260203')}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:SellerAssignedID>987654</ram:SellerAssignedID><ram:Name>Product Name</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>10.00</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:RequestedQuantity unitCode="C62">6</ram:RequestedQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>60.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>SELLER_NAME</ram:Name></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>BUYER_NAME</ram:Name></ram:BuyerTradeParty><ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO123456789</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:OrderCurrencyCode>EUR</ram:OrderCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>60.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:SCRDMCCBDACIOMessageStructure>`;

/** UBL 2.1 of any root: the elements that EN 16931 maps, 100.00 net + 20.00 = 120.00. */
export function ublDocument(root: 'Invoice' | 'CreditNote' | 'Order', typeCode?: string): string {
  const line = { Invoice: 'InvoiceLine', CreditNote: 'CreditNoteLine', Order: 'LineItem' }[root];
  const quantity = { Invoice: 'InvoicedQuantity', CreditNote: 'CreditedQuantity', Order: 'Quantity' }[root];
  const sums = root === 'Order' ? 'AnticipatedMonetaryTotal' : 'LegalMonetaryTotal';
  const [supplier, customer] =
    root === 'Order'
      ? ['SellerSupplierParty', 'BuyerCustomerParty']
      : ['AccountingSupplierParty', 'AccountingCustomerParty'];
  const item = `<cac:${line}><cbc:ID>1</cbc:ID><cbc:${quantity} unitCode="HUR">4</cbc:${quantity}><cbc:LineExtensionAmount currencyID="GBP">100.00</cbc:LineExtensionAmount><cac:Item><cbc:Description>Two half days on site</cbc:Description><cbc:Name>Consulting</cbc:Name><cac:SellersItemIdentification><cbc:ID>C-1</cbc:ID></cac:SellersItemIdentification><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>20</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="GBP">25</cbc:PriceAmount></cac:Price></cac:${line}>`;
  return `<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
<cbc:ID>INV-77</cbc:ID><cbc:IssueDate>2026-02-01Z</cbc:IssueDate>${root === 'Invoice' ? '<cbc:DueDate>2026-03-03</cbc:DueDate>' : ''}
${typeCode === undefined ? '' : `<cbc:${root}TypeCode>${typeCode}</cbc:${root}TypeCode>`}
<cbc:DocumentCurrencyCode>GBP</cbc:DocumentCurrencyCode>
<cac:OrderReference><cbc:ID>4500-1</cbc:ID></cac:OrderReference>
<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>INV-60</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>
<cac:${supplier}><cac:Party><cac:PartyName><cbc:Name>Trading name</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>1 High Street</cbc:StreetName><cbc:CityName>Leeds</cbc:CityName><cbc:PostalZone>LS1 4AP</cbc:PostalZone><cac:Country><cbc:IdentificationCode>GB</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>98765</cbc:CompanyID><cac:TaxScheme><cbc:ID>TAX</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyTaxScheme><cbc:CompanyID>GB123456789</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Northern Advice Ltd</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${supplier}>
<cac:${customer}><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Buyer plc</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${customer}>
<cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>12345678</cbc:ID><cac:FinancialInstitutionBranch><cbc:ID>20-00-00</cbc:ID></cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount></cac:PaymentMeans>
<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReasonCode>FC</cbc:AllowanceChargeReasonCode><cbc:Amount currencyID="GBP">5.00</cbc:Amount></cac:AllowanceCharge>
<cac:TaxTotal><cbc:TaxAmount currencyID="GBP">20.00</cbc:TaxAmount><cac:TaxSubtotal><cac:TaxCategory><cbc:Percent>20.0</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:${sums}><cbc:LineExtensionAmount currencyID="GBP">100.00</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount currencyID="GBP">100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="GBP">120.00</cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID="GBP">120.00</cbc:PayableAmount></cac:${sums}>
${root === 'Order' ? `<cac:OrderLine>${item}</cac:OrderLine>` : item}</${root}>`;
}

/** The page that goes with `ciiInvoice`; `total` is what its last line asks for. */
export const ciiPage = (total = '1.473,22', due = '1.373,22'): string[] => [
  'Lieferant GmbH & Co. KG',
  'Lieferantenstraße 20',
  '80333 München',
  '',
  'Kunden AG Mitte',
  '',
  'RECHNUNG',
  'Rechnungsnummer: RE-2026/0042',
  'Rechnungsdatum: 04.03.2026',
  'Fällig am: 3. April 2026',
  '',
  'Bezeichnung              Menge      Einzelpreis      Betrag',
  'Trennblätter A4          120        9,90             1.188,00',
  'Schrauben M6             400        0,125            50,00',
  '',
  'Nettobetrag                                          1.238,00',
  'MwSt 19 %                                            235,22',
  `Gesamtbetrag                                         ${total}`,
  `Zahlbetrag                                           ${due}`,
  'IBAN: DE02 1203 0000 0000 2020 51',
];

/** A typed PDF page; an attachment stands in the names tree, or, as a reader of PDF/A-3 may find it, in /AF alone. */
export async function pdfWith(
  lines: string[],
  attachment?: { content: string | Uint8Array; name: string; place?: 'names' | 'af' },
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Courier);
  const page = pdf.addPage([595, 842]);
  for (const [row, line] of lines.entries()) {
    if (line !== '') page.drawText(line, { x: 40, y: 780 - row * 16, size: 10, font });
  }
  if (attachment) {
    const bytes =
      typeof attachment.content === 'string' ? new TextEncoder().encode(attachment.content) : attachment.content;
    if (attachment.place === 'af') {
      const stream = pdf.context.flateStream(bytes, { Type: 'EmbeddedFile', Subtype: 'text#2Fxml' });
      const spec = pdf.context.obj({ Type: 'Filespec', F: attachment.name, EF: { F: pdf.context.register(stream) } });
      pdf.catalog.set(pdf.context.obj('AF'), pdf.context.obj([pdf.context.register(spec)]));
    } else await pdf.attach(bytes, attachment.name, { mimeType: 'text/xml' });
  }
  return pdf.save();
}
