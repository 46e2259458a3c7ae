import { further } from './further-languages.ts';

/**
 * The labels of invoices and their relatives in English, German, French, Spanish, Italian, Dutch, Portuguese, Afrikaans,
 * and, from `further-languages.ts`, ten more. All are written as `fold` reads a line: lower case, no accents.
 */
const NO = String.raw`\s*(?:no\b\.?|n(?:\.?[°ºo]|\.)\.?(?!\w)|nr\b\.?|nro\b\.?|num(?:ber|mer|ero|er)?\b\.?|nommer\b|#|id\b|ref(?:erence)?\b\.?)`;
const DE = String.raw`(?:\s*(?:de|du|des|della|dell'|da|do|del|di|d'|de\s+la|la))*\s*`;
const NUM = String.raw`(?:numero|num\.?|n\.?[°ºo]\.?|nr\.?)`;
const label = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'), 'i');
const INVOICE_WORD = String.raw`(?:invoice|\w*rechnung|facture|factura|fattura|fatura|factuur|faktuur|faktura|honorarnote|parcella)`;

/** A label with how sure a value beside it is the one that is looked for. */
export interface Tier {
  label: RegExp;
  certainty: number;
}

const tier = (certainty: number, ...alternatives: string[]): Tier => ({ label: label(...alternatives), certainty });
const bare = tier(
  0.62,
  String.raw`^(?:document\s*)?(?:number|nummer|numero|nommer|nr\.?|no\.?)\s*:?(?=\s|$)`,
  String.raw`\bour\s*ref(?:erence)?\b`,
);

const INVOICE_NUMBER: Tier[] = [
  tier(
    0.95,
    String.raw`\b(?:tax\s*)?invoice(?!\s*(?:date|to\b))${NO}`,
    String.raw`\binv\.?${NO}`,
    String.raw`\brechnungs?[\s-]*(?:nr\b\.?|nummer)`,
    String.raw`\bbeleg[\s-]*(?:nr\b\.?|nummer)`,
    String.raw`\w*rechnung(?:\s*\(\d+\))?\s*(?:nr\b\.?|#)`,
    String.raw`\bfa(?:c|k)tuur(?:nummer|nommer|[\s-]*nr\b\.?|${NO})`,
    String.raw`\b${NUM}${DE}(?:facture|factura|fattura|fatura|faktury)`,
    String.raw`\b(?:facture|factura|fattura|fatura|faktura(?:\s*vat)?)${NO}`,
    String.raw`\bfaktura(?:nummer|nr)\b\.?`,
    String.raw`\b(?:${NUM}|n\.)${DE}documento\b`,
    ...further.invoiceNumber,
  ),
  tier(0.9, String.raw`\bbill${NO}`, String.raw`\bdocument${NO}`, String.raw`\bstatement${NO}`),
  tier(0.88, String.raw`\b${INVOICE_WORD}[^:\d]{0,32}?\bnr\b\.?`),
  tier(
    0.85,
    String.raw`\b${INVOICE_WORD}\b(?!\s*(?:date|to\b|for\b|total|amount|period|a\b|du\b|from|address|due))\s*:?`,
  ),
  bare,
];

export const numberTiers: Record<string, Tier[]> = {
  invoice: INVOICE_NUMBER,
  bill: [
    tier(0.95, String.raw`\b(?:bill|invoice|statement)${NO}`),
    ...INVOICE_NUMBER.filter((one) => one.certainty > 0.85),
  ],
  credit_note: [
    tier(
      0.95,
      String.raw`\bcredit\s?(?:note|memo|invoice)(?!\s*date)${NO}`,
      String.raw`\bcn${NO}`,
      String.raw`\bgutschrifts?[\s-]*(?:nr\b\.?|nummer)`,
      String.raw`\badjustment\s?note(?!\s*date)${NO}`,
      String.raw`\bbeleg[\s-]*(?:nr\b\.?|nummer)`,
      String.raw`\b(?:gutschrift|rechnungskorrektur|stornorechnung)\b(?:\s*\(\d+\))?\s*(?:nr\b\.?)?`,
      String.raw`\bavoir${NO}`,
      String.raw`\b${NUM}${DE}(?:avoir|abono|nota\s*(?:de|di)\s*cred\w*)`,
      String.raw`\b(?:credit|krediet)\s?nota${NO}`,
      String.raw`\b(?:credit|krediet)(?:nota)?(?:nummer|nommer)`,
      String.raw`\bnota\s*(?:de|di)\s*cred\w*${NO}`,
      String.raw`\bkredit(?:nota|faktura)?(?:nummer|nr)\b`,
      ...further.creditNumber,
    ),
    tier(0.88, String.raw`\bcredit${NO}`, String.raw`\bavoir\b`, String.raw`\bcredit\s?(?:note|memo)\b(?!\s*date)`),
    tier(0.8, String.raw`\bdocument${NO}`, String.raw`\b(?:nota\s*(?:de|di)\s*credit\w*|creditnota|kreditnota)\b`),
    bare,
  ],
  purchase_order: [
    tier(
      0.95,
      String.raw`\bpurchase\s*order(?!\s*(?:date|to\b))${NO}`,
      String.raw`\bp[./]?\s?o\.?${NO}`,
      String.raw`\border(?!\s*date)${NO}`,
      String.raw`\bbestell[\s-]*(?:nr\b\.?|nummer)`,
      String.raw`\bauftrags?[\s-]*(?:nr\b\.?|nummer)`,
      String.raw`\b(?:bestel|aankoop|inkoop)?(?:order|ling)?(?:nummer|[\s-]*nr\b\.?|nommer)(?<=(?:bestel|aankoop|inkoop|order).*)`,
      String.raw`\bbestellung${NO}`,
      String.raw`\b${NUM}${DE}(?:(?:bon\s*de\s*)?commande|pedido|orden(?:\s*de\s*compra)?|ordine|encomenda)`,
      String.raw`\b(?:bon\s*de\s*commande|commande|pedido|orden\s*de\s*compra|ordine|encomenda)${NO}`,
      ...further.orderNumber,
    ),
    tier(
      0.88,
      String.raw`\bpurchase\s*order\b(?!\s*date)`,
      String.raw`\b(?:bestellung|bon\s*de\s*commande|orden\s*de\s*compra|ordine\s*d'acquisto|inkooporder|bestelbon)\b`,
      String.raw`\border\b(?!\s*(?:date|total|type))`,
      String.raw`\bp\.?o\.?\b(?!\s*(?:box|date)|[-/]?\d)`,
    ),
    bare,
  ],
  delivery_note: [
    tier(
      0.95,
      String.raw`\b(?:delivery|despatch|dispatch|consignment)\s?(?:note|advice|docket)?(?!\s*(?:date|address|to\b))${NO}`,
      String.raw`\bd\.?n\.?${NO}`,
      String.raw`\bpacking\s?(?:slip|list|note)${NO}`,
      String.raw`\b(?:docket|ticket|slip|waybill|grn|shipment)${NO}`,
      String.raw`\blieferschein[\s-]*(?:nr\b\.?|nummer)`,
      String.raw`\bpakbon(?:nummer|[\s-]*nr\b\.?|${NO})`,
      String.raw`\baflewerings?(?:brief|nota)?(?:nommer|nr|${NO})`,
      String.raw`\b${NUM}${DE}(?:(?:bon|bordereau)\s*de\s*livraison|albaran|ddt|guia\s*de\s*remessa|bl\b)`,
      String.raw`\b(?:(?:bon|bordereau)\s*de\s*livraison|albaran|documento\s*di\s*trasporto|ddt|bolla|guia\s*de\s*remessa)${NO}`,
      ...further.deliveryNumber,
    ),
    tier(
      0.85,
      String.raw`\b(?:delivery\s?)?(?:ticket|docket)\b(?!\s*date)`,
      String.raw`\b(?:delivery\s?note|packing\s?(?:slip|list)|lieferschein|bon\s*de\s*livraison|albaran|pakbon)\b(?!\s*date)`,
    ),
    bare,
  ],
};

export const purchaseOrderTiers: Tier[] = [
  tier(
    0.93,
    String.raw`\b(?:(?:customer|your|client|buyer'?s?|cust\.?)\s*)?(?:purchase\s*order|p\.?\s?o\.?)(?!\s*(?:date|box|to\b))${NO}`,
    String.raw`\b(?:customer|your|client)\s*(?:purchase\s*)?(?:order|p\.?o\.?)(?!\s*date)(?:${NO})?`,
    String.raw`\bpurchase\s*order\b(?!\s*date)`,
    String.raw`\b(?:ihre\s*)?bestell[\s-]*(?:nr\b\.?|nummer)`,
    String.raw`\bihre\s*bestellung\b`,
    String.raw`\bbestel(?:ling|order)?(?:nummer|nommer|[\s-]*nr\b\.?)`,
    String.raw`\b(?:votre|vos|v\.?ref|su|vostro|vs\.?|seu|sua|v/|uw)\s*(?:commande|pedido|ordine|encomenda|bestelling|order)(?:nummer|[\s-]*nr\b\.?)?\b`,
    String.raw`\b(?:rif(?:erimento)?|ref)\.?\s*(?:vs\.?\s*)?(?:ordine|pedido|commande)\b`,
    String.raw`\bpedido\b(?!\s*(?:fecha|de\s*compra))`,
    String.raw`\b${NUM}${DE}(?:(?:bon\s*de\s*)?commande|pedido|orden\s*de\s*compra|ordine|encomenda)`,
    String.raw`\b(?:bon\s*de\s*commande|pedido|orden\s*de\s*compra|ordine|encomenda)${NO}`,
    ...further.orderNumber,
  ),
  tier(
    0.82,
    String.raw`\border(?!\s*date)${NO}`,
    String.raw`\bp\.?o\.?\s*[:#]`,
    String.raw`\bbestellung\b`,
    String.raw`\bcommande\b`,
    String.raw`\bauftrags?[\s-]*(?:nr\b\.?|nummer)`,
    String.raw`\bordernummer\b`,
  ),
  tier(
    0.6,
    String.raw`\b(?:your|customer|client|cust\.?)\s*ref(?:erence)?\b\.?(?:${NO})?`,
    String.raw`\bihr(?:e)?\s*(?:zeichen|referenz)\b`,
    String.raw`\b(?:votre|vos|v/|su|sua|v/?\.?|vs\.?|vostr[oa]|uw)\s*(?:ref(?:er[ei]n(?:ce|cia|tie))?|riferimento|kenmerk)\b`,
  ),
];

/** A reference is the buyer's order where its value says so: "Reference: PO-7741". */
export const referenceLabel = label(
  String.raw`\b(?:reference|ref\b\.?|referenz|referencia|referentie|riferimento|verwysing|referens|referanse|referencja)`,
);

export const originalInvoiceTiers: Tier[] = [
  tier(
    0.93,
    String.raw`\b(?:original|related|referenced?|corrected|credited|initial)\s*(?:tax\s*)?(?:invoice|inv|document|bill)\b(?!\s*date)(?:${NO})?`,
    String.raw`\b(?:against|for|corrects?|credits?|re|to|on|of)\s*:?\s*(?:your\s*|our\s*)?(?:original\s*)?(?:tax\s*)?(?:invoice|inv)\b(?!\s*date)(?:${NO})?`,
    String.raw`\binv(?:oice)?\s*ref(?:erence)?\b\.?`,
    String.raw`\bref(?:erence)?\.?\s*(?:to\s*)?inv(?:oice)?\b(?:${NO})?`,
    String.raw`\b(?:ursprungs?|original|bezugs?)[\s-]*(?:rechnung|beleg)s?[\s-]*(?:nr\b\.?|nummer)?`,
    String.raw`\bzu\s*(?:der\s*|ihrer\s*)?rechnung(?:s[\s-]*(?:nr|nummer))?\b\.?(?:${NO})?`,
    String.raw`\b(?:credit\s*op|bezug(?:\s*auf)?|storno(?:\s*(?:zu|von|der))?|rettifica|storno|annule|rectifica|corrige|anula|referente)\s*(?:\w{1,3}\s+|l')?(?:rechnung|fa(?:c|k)tuur|facture|factura|fattura|fatura)(?:${NO})?`,
    String.raw`\b(?:rif(?:erimento)?\.?|ref\.?)\s*(?:a\s*)?(?:la\s*)?(?:facture|factura|fattura|fatura)(?:${NO})?`,
    String.raw`\bdocument[oe]?\s*(?:de\s*origem|d'origine|de\s*origen|di\s*origine)`,
    String.raw`\bfacture\s*(?:d'origine|initiale|concernee|rectifiee|creditee)(?:${NO})?`,
    String.raw`\b(?:relatif|relative)\s*a\s*la\s*facture(?:${NO})?`,
    String.raw`\b(?:factura|fattura|fatura)\s*(?:original\w*|rectificada|di\s*riferimento|de\s*ori(?:gem|gen))(?:${NO})?`,
    String.raw`\b(?:oorspronkelijke|oorspronklike|betreft|inzake)\s*fa(?:c|k)tuur(?:nummer|nommer)?`,
    String.raw`\bapplies\s*to(?:\s*(?:tax\s*)?invoice)?\b(?:${NO})?`,
  ),
  tier(
    0.85,
    String.raw`\binvoice(?!\s*date)${NO}`,
    String.raw`\b(?:facture|factura|fattura|fatura)${NO}`,
    String.raw`\brechnungs?[\s-]*(?:nr\b\.?|nummer)`,
    String.raw`\bfa(?:c|k)tuur(?:nummer|nommer)`,
  ),
];

/** Labels that name the document's own date; then the date in its title; then any date that no other label claims. */
export const dateTiers: Tier[] = [
  tier(
    0.97,
    String.raw`\b(?:tax\s*)?(?:invoice|inv\.?|issued?|bill(?:ing)?|document|credit(?:\s?(?:note|memo))?|cn|statement|tax)\s*date\b`,
    String.raw`\bdate\s*(?:of\s*)?(?:issued?|invoice|bill|credit|document)\b`,
    String.raw`\bdate\s*(?:d'emission|de\s*(?:la\s*)?facture|de\s*facturation|facture|d'avoir|de\s*l'avoir)`,
    String.raw`\b(?:rechnungs|beleg|ausstellungs|gutschrifts?|erstellungs)[\s-]*datum\b`,
    String.raw`\bfa(?:c|k)tuur\s*datum\b`,
    String.raw`\bfecha\s*(?:de\s*)?(?:la\s*)?(?:factura|emision|expedicion)`,
    String.raw`\bdata\s*(?:d[aei]\s*|della\s*|de\s*)?(?:fattura|fatura|emissione|emissao|documento|doc\b)`,
    String.raw`\bfaktura\s*dat(?:o|um)\b`,
    ...further.invoiceDate,
    String.raw`\bissued(?:\s*on)?\b`,
  ),
  tier(
    0.94,
    String.raw`\b(?:${INVOICE_WORD}|rechnungskorrektur|gutschrift|avoir|credit note)\b[^:]{0,60}?\b(?:vom|du|of|dated|del|van|de fecha|av)\b`,
  ),
];
export const anyDate = label(
  String.raw`(?<!(?:due|delivery|ship|print\w*|start|end|from|value|supply|order|liefer|leistungs|versand|valuta)[\s-]*)\b(?:date|datum|dato|fecha|data)\b(?!\s*(?:due|d'ech|de\s*(?:vencimiento|livraison)|di\s*scadenza|of\s*(?:supply|delivery|birth)|de\s*vencimento|range|from|to\b))`,
);
export const orderDateTiers: Tier[] = [
  tier(
    0.97,
    String.raw`\b(?:purchase\s*)?(?:order|p\.?o\.?)\s*date\b`,
    String.raw`\bdate\s*(?:of\s*(?:order|issue)|issued|ordered|de\s*(?:la\s*)?commande)`,
    String.raw`\b(?:bestell?|order|inkooporder)[\s-]*datum\b`,
    String.raw`\bauftragsdatum\b`,
    String.raw`\bfecha\s*(?:del?\s*)?(?:pedido|orden)`,
    String.raw`\bdata\s*(?:dell')?\s*(?:ordine|pedido|encomenda)`,
    String.raw`\bissued(?:\s*on)?\b`,
  ),
];
export const deliveryDateTiers: Tier[] = [
  tier(
    0.97,
    String.raw`\b(?:delivery|despatch|dispatch|shipping|shipment|ship(?:ped)?)\s*(?:note\s*)?(?:date|on)\b`,
    String.raw`\b(?:delivered|dispatched|despatched)\s*(?:on|date)?\b`,
    String.raw`\bdate\s*(?:of\s*(?:delivery|dispatch|despatch|shipment)|delivered|shipped|de\s*livraison|d'expedition)`,
    String.raw`\b(?:liefer(?:schein)?|versand)[\s-]*datum\b`,
    String.raw`\b(?:lever|verzend|aflewerings?)[\s-]*datum\b`,
    String.raw`\bfecha\s*(?:de\s*)?(?:entrega|envio)`,
    String.raw`\bdata\s*(?:di\s*|de\s*)?(?:consegna|entrega|trasporto)`,
  ),
];
export const dueDateTiers: Tier[] = [
  tier(
    0.95,
    String.raw`\b(?:payment\s*)?due\s*(?:date|by|on)\b`,
    String.raw`\bdate\s*due\b(?!\s*date)`,
    String.raw`\bpayable\s*(?:on\s*or\s*)?(?:before|by)\b`,
    String.raw`\bpay(?:ment)?\s*(?:due|by|before|deadline)(?:\s*(?:date|on|by))?\b`,
    String.raw`\bfalligkeits?(?:datum|tag)?\b(?:\s*(?:am|bis|zum))?`,
    String.raw`\bfallig\b(?:\s*(?:am|bis|zum))?`,
    String.raw`\bzahlbar\s*(?:[a-z]+\s+){0,4}?bis(?:\s*(?:zum|spatestens))?\b`,
    String.raw`\b(?:zahlen|uberweisen|zahlung|begleichen)\b[^:]{0,40}?\bbis(?:\s*zum)?\b`,
    String.raw`\bzahlungsziel\b`,
    String.raw`\b(?:date\s*d')?echeance\b(?:\s*(?:le|au))?`,
    String.raw`\ba\s*(?:payer|regler)\s*avant\s*le\b`,
    String.raw`\b(?:uiterste|laatste)\s*betaal[\s-]*(?:datum|dag)\b`,
    String.raw`\b(?:verval|betaal|verskuldig(?:de)?|betaal)[\s-]*datum\b`,
    String.raw`\bte\s*betalen\s*(?:voor|uiterlijk)\b`,
    String.raw`\b(?:fecha\s*(?:de\s*)?)?vencimiento\b`,
    String.raw`\b(?:data\s*(?:di\s*)?)?scadenz[ae]\b`,
    String.raw`\b(?:data\s*(?:de\s*|do\s*)?)?(?:vencimento|venc\b\.?)`,
    String.raw`\bforfalls?\s*dat(?:o|um)\b`,
    ...further.dueDate,
  ),
  tier(0.8, String.raw`\bdue\b(?!\s*(?:to|amount|balance))`, String.raw`\bexpir(?:y|ation)\s*date\b`),
];

export const termsLabel = label(
  String.raw`\b(?:payment|credit)\s*(?:terms?|conditions?)(?:\s*of\s*payment)?\b`,
  String.raw`\bterms(?:\s*of\s*payment)?\b(?!\s*(?:and|&))`,
  String.raw`\bzahlungs(?:bedingung(?:en)?|ziel|konditionen)\b`,
  String.raw`\b(?:conditions|modalites|delai)\s*de\s*(?:paiement|reglement)\b`,
  String.raw`\b(?:condiciones|forma|terminos)\s*de\s*pago\b`,
  String.raw`\b(?:condizioni|termini)\s*di\s*pagamento\b`,
  String.raw`\bcondicoes\s*de\s*pagamento\b`,
  String.raw`\bbeta(?:lings?|al)(?:conditie|termijn|voorwaarde)[ns]?\b`,
);
/** "Net 30", "within 14 days": the days from the document's date to the day it must be paid. */
export const termsDays = label(
  String.raw`\bnet\s*(?<net>\d{1,3})\b(?!\s*%)`,
  String.raw`\b(?:within|in|innerhalb(?:\s*von)?|binnen|sous|dentro\s*de|entro|em|inom)\s*(?<within>\d{1,3})\s*(?:\w+\s*)?(?:days?|tagen?|dagen|dae|jours|dias|giorni|dagar)\b`,
  String.raw`\b(?<days>\d{1,3})\s*(?:days?|tage|dagen|dae|jours|dias|giorni|dagar)\b`,
);
export const dueOnReceipt = label(
  String.raw`\b(?:due|payable)\s*(?:up)?on\s*receipt\b`,
  String.raw`\bsofort\s*(?:fallig|zahlbar)\b`,
  String.raw`\ba\s*reception\b`,
);
