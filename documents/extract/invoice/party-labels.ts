import { furtherParties } from './further-languages.ts';

/** What a heading over a name and address says about the party, as `fold` reads it. */
export type PartyRole = 'customer' | 'ship_to' | 'vendor' | 'ship_from' | 'remit_to';

const OF_A_FIELD = String.raw`(?!\s*(?:'?s?\s*)?(?:no\b|number|nummer|nr\b|id\b|ref|#|n[°º]|service|since|since|order|copy|p\.?o\b|vat|tax|gstin|account|acc\b|code|signature|sig\b|phone|tel|e-?mail|type|support|care|satisfaction|relations))`;

/** Two words or one that means nothing else: a name may follow without a colon. */
const STRONG: [PartyRole, string][] = [
  [
    'ship_to',
    String.raw`(?:ship(?:ped|ping)?|deliver(?:ed|y)?|dispatch(?:ed)?|goods\s*delivered)\s*(?:to\b|address|location)|consignee|liefer(?:adresse|anschrift)|warenempfanger|livre(?:e|r)?\s*a\b|adresse\s*(?:de\s*)?livraison|lieu\s*de\s*livraison|(?:direccion|domicilio)\s*de\s*(?:entrega|envio)|enviar\s*a\b|entregar\s*(?:a|en|em)\b|(?:indirizzo|luogo)\s*di\s*(?:consegna|spedizione)|(?:aflever|bezorg|leverings?|aflewerings?)[\s-]*adres|lewer\s*aan|endereco\s*de\s*entrega|leveransadress|leveringsadresse|(?:local|morada)\s*de\s*(?:descarga|entrega)|(?:luogo|indirizzo|destinazione)\s*(?:di\s*)?(?:merce|merci|consegna)`,
  ],
  ['ship_to', furtherParties.shipTo],
  ['customer', furtherParties.customer],
  ['vendor', furtherParties.vendor],
  [
    'ship_from',
    String.raw`(?:ship(?:ped)?|dispatch(?:ed)?|collect(?:ed)?)\s*from\b|lieferung\s*von|expedi(?:e|teur)\s*(?:de|par)`,
  ],
  [
    'remit_to',
    String.raw`remit(?:tance)?(?:\s*payments?)?\s*(?:to\b|address)|(?:please\s*)?make\s*(?:all\s*)?(?:cheques?|checks?|payments?)\s*(?:payable\s*)?to\b|payable\s*to\b|pay\s*to\b`,
  ],
  [
    'customer',
    String.raw`(?:bil+(?:ed|ing)?|sold|invoiced?|charged?|credit(?:ed)?|issued?|quoted?|prepared)\s*(?:to\b|for\b)(?:\s*(?:address|party))?|bil+ing\s*(?:address|details|information|contact)|invoice\s*(?:recipient|address)|customer\s*(?:name|details|information|address)|(?:client|buyer)\s*(?:name|details)|rechnungs(?:empfanger|adresse|anschrift)|rechnung\s*an\b|kaufer(?:\s*/\s*leistungsempfanger)?|leistungsempfanger|kundenanschrift|auftraggeber|factur(?:e|er|ee)\s*a\b|adresse\s*(?:de\s*)?facturation|acheteur|factura(?:r|do|da)\s*a\b|datos\s*del\s*cliente|direccion\s*de\s*facturacion|fatturare?\s*a\b|intestata(?:rio|a\s*a)|cessionario(?:\s*/?\s*committente)?|acquirente|spett(?:\.?\s?le|abile)\b|factuur\s*(?:adres|aan)|gefactureerd\s*aan|faktureer\s*aan|rekening\s*aan|faturar?\s*a\b|exm[oa]s?\.?(?:\(s\))?\s*(?:srs?|senhor\w*)\.?(?:\(?s\)|\(es\))?|dados\s*do\s*cliente|adquirente|fakturaadress|nabywca|(?:service|supply|property|premises?|mailing|postal|account)\s*(?:for\b|to\b|address)|mail\s*to\b`,
  ],
  [
    'vendor',
    String.raw`sold\s*by|issued\s*by|bil+(?:ed)?\s*from|invoice\s*from|service\s*provider|rechnungs(?:steller|absender)|(?:vendor|supplier|seller)\s*(?:name|details|information|address)|cedente(?:\s*/?\s*prestatore)?`,
  ],
];
/** Words that stand in sentences and other labels too: only alone, or with a colon. */
const WEAK: [PartyRole, string][] = [
  ['ship_to', furtherParties.weakShipTo],
  ['customer', furtherParties.weakCustomer],
  ['vendor', furtherParties.weakVendor],
  ['ship_to', String.raw`recipient|receiver|delivery|lieferung|destinazione|ontvanger`],
  [
    'customer',
    String.raw`customer|buyer|purchaser|client|invoicee|kunde|besteller|empfanger|destinataire|doit|cliente|comprador|destinatario|klant|koper|afnemer|debiteur|klient|kund|odbiorca|account\s*(?:name|holder)|(?:bill|policy)\s*holder|tenant|resident|subscriber|consumer|patient|guest|to|an|aan|a|para|attn|attention`,
  ],
  [
    'vendor',
    String.raw`vendor|supplier|seller|from|provider|payee|issuer|verkaufer|lieferant|auftragnehmer|anbieter|absender|fournisseur|vendeur|prestataire|emetteur|proveedor|vendedor|emisor|fornitore|mittente|leverancier|verkoper|afzender|fornecedor|emitente|verskaffer|leverantor|saljare|leverandor|sprzedawca|von|de`,
  ],
];

const compiled = [
  ...STRONG.map(([role, source]) => ({
    role,
    strong: true,
    pattern: new RegExp(String.raw`^\W*(?:${source})${OF_A_FIELD}`),
  })),
  ...WEAK.map(([role, source]) => ({
    role,
    strong: false,
    pattern: new RegExp(String.raw`^\W*(?:${source})\b${OF_A_FIELD}(?:\s*\([^)]*\))?(?=\s*(?::|[-–]\s|$))`),
  })),
];

/** The role that a text begins with, and how much of it the heading takes; from text that went through `fold`. */
export function partyLabelAt(folded: string): { role: PartyRole; length: number; strong: boolean } | undefined {
  for (const { role, strong, pattern } of compiled) {
    const match = pattern.exec(folded);
    if (match) return { role, strong, length: match[0].length };
  }
  return undefined;
}
