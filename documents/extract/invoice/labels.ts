/** Labels in English, German, French, Dutch, Spanish, Italian and Portuguese. */
const NO = String.raw`\s*(?:no\b\.?|n[°ºo]\b\.?|nr\b\.?|num(?:ber|mer|éro|ero)?\b|#|id\b|ref(?:erence)?\b\.?)`;
const label = (source: string): RegExp => new RegExp(source, 'iu');

export const numberLabels: Record<string, RegExp> = {
  invoice: label(
    String.raw`\b(?:tax\s+)?invoice${NO}|\brechnungs?[\s-]?(?:nr\b\.?|nummer)|\bfactuur\s?(?:nummer|nr\b\.?)|\b(?:numéro|n[°ºo]\b\.?)\s*(?:de\s*)?(?:la\s*)?facture|\bfacture${NO}|\bfactura${NO}|\bfattura${NO}|\bbelegnummer|\p{L}*rechnung(?:\s*\(\d+\))?\s*(?:nr\b\.?|#)|\brechnung\b(?:\s*\(\d+\))?\s*(?:nr\b\.?|#)?|\binv${NO}|\bstatement${NO}|\bbill${NO}|\bdocument${NO}|\binvoice\b(?!\s*(?:date|to|for|total|amount))|\bfacture\b(?!\s*(?:à|du))`,
  ),
  bill: label(String.raw`\b(?:bill|invoice|statement)${NO}`),
  credit_note: label(
    String.raw`\bcredit\s?(?:note|memo)${NO}|\bcn${NO}|\bgutschrifts?[\s-]?(?:nr\b\.?|nummer)|\brechnungskorrektur\b(?:\s*\(\d+\))?\s*(?:nr\b\.?)?|\bavoir${NO}|\bcredit\s?nota${NO}|\bavoir\b|\bcredit${NO}`,
  ),
  purchase_order: label(String.raw`\b(?:purchase\s)?order${NO}|\bp\.?o\.?${NO}|\bbestellnummer|\bbon de commande${NO}`),
  delivery_note: label(
    String.raw`\bdelivery\s?(?:note)?${NO}|\bdn${NO}|\bpacking\s(?:slip|list)${NO}|\bdocket${NO}|\blieferschein[\s-]?(?:nr\b\.?|nummer)|\bdispatch${NO}|\bslip${NO}`,
  ),
};

export const labels = {
  /** Labels that name the document's own date, then the date in its title, then any other date label. */
  ownDate: label(
    String.raw`\b(?:tax\s+)?(?:invoice|issue|bill|billing|document|credit(?:\s(?:note|memo))?)\s*date\b|\bdate\s*(?:of\s*(?:issue|invoice|bill)|issued|d['’](?:émission|facture)|de\s(?:la\s)?facture)\b|\b(?:rechnungs|beleg|ausstellungs|gutschrifts)datum\b|\bfactuurdatum\b|\bissued(?:\son)?\b`,
  ),
  dateInTitle: label(
    String.raw`(?:rechnung|rechnungskorrektur|gutschrift|facture|avoir|invoice|credit note)\b[^:]{0,40}?\b(?:vom|du|of|dated)\b`,
  ),
  date: label(
    String.raw`\b(?:statement|order|delivery|dispatch|ship)\s*date\b|\bfecha\b|\bdata\b|(?<!due\s|delivery\s|liefer|leistungs)\bdat(?:e|um)\b(?!\s*(?:due|d['’]éch))`,
  ),
  dueDate: label(
    String.raw`\bdue\s*(?:date|by|on)?\b|\bpayable\s*(?:on\s*or\s*)?(?:before|by)\b|\b(?:zahlen|überweisen|zahlung)\b[^:]{0,30}?\bbis(?:\s*zum)?\b|\bpay(?:ment)?\s*(?:due|by|before|deadline)(?:\s*(?:date|on))?\b|\bdate\s*due\b|\bfällig(?:keit|keitsdatum)?(?:\s*(?:am|bis|zum))?\b|\bzahlbar\s*bis(?:\s*zum)?\b|\bzahlungsziel\b|\béchéance\b|\bdate\s*d['’]échéance\b|\bvervaldatum\b|\bvencimiento\b|\bscadenza\b|\bexpir`,
  ),
  purchaseOrder: label(
    String.raw`\b(?:purchase\s*order|customer\s*order|your\s*order|order|p\.?o\.?)${NO}|\bpurchase\s*order\b|\bp\.?o\.?\s*[:#]|\bbestell(?:ung|nummer|[\s-]?nr\b\.?)|\bbestelnummer\b|\b(?:n[°ºo]\.?\s*(?:de\s*)?)?commande\b|\byour\s*(?:ref|reference|order)\b|\bauftrags(?:nummer|nr\b\.?)|\bpedido\b`,
  ),
  originalInvoice: label(
    String.raw`\b(?:original|related|ref(?:erence)?|against|for|corrects?)\s*invoice(?:\s*(?:no|number|nr|#))?\.?|\binvoice\s*ref(?:erence)?\b|\b(?:zu|ursprungs?)\s*rechnung(?:s(?:nr|nummer))?\.?|\bfacture\s*(?:d['’]origine|initiale)\b|\binvoice\s*(?:no|number|#)\.?`,
  ),
  /** Any number that a tax office gave; `vatNumber` is the one for value added tax, where a page prints both. */
  taxNumber: label(
    String.raw`\b(?:vat|tax|gst|btw|tva|abn|ein|sst)\s*(?:reg(?:istration|\.)?)?[\s.-]*(?:id(?:entification)?\b\.?|no\b\.?|number|nr\b\.?|#|intracommunautaire|nummer|code)*(?:\s*(?:no\b\.?|number))?|\bu(?:msatz)?st(?:euer)?[\s.-]*id(?:ent)?[\s.-]*(?:nr\b|nummer\b)?\.?|\bsteuer(?:nummer|[\s-]?nr\b\.?)|\bn[°ºo]\.?\s*(?:de\s*)?tva\b|\bcif\b|\bnif\b|\bp\.?\s?iva\b`,
  ),
  vatNumber: label(
    String.raw`\b(?:vat|btw|tva|gst)\s*(?:reg(?:istration|\.)?)?[\s.-]*(?:id(?:entification)?\b\.?|no\b\.?|number|nr\b\.?|#|intracommunautaire|nummer|code)*(?:\s*(?:no\b\.?|number))?|\bu(?:msatz)?st(?:euer)?[\s.-]*id(?:ent)?[\s.-]*(?:nr\b|nummer\b)?\.?|\bn[°ºo]\.?\s*(?:de\s*)?tva\b|\bp\.?\s?iva\b`,
  ),
  terms: label(
    String.raw`\b(?:payment\s*)?terms(?:\s*of\s*payment)?\b|\bzahlungsbedingungen\b|\bconditions\s*de\s*(?:paiement|règlement)\b`,
  ),
  account: label(
    String.raw`\b(?:bank\s*)?account\s*(?:no\b\.?|number|#|nr\b\.?)|\bkonto(?:nummer|[\s-]?nr)\b\.?|\bacc(?:t|ount)\b\.?\s*(?:no\b\.?|#)`,
  ),
  customer: label(
    String.raw`\b(?:bil+(?:ed)?|sold|invoiced?|charge)\s*to\b|\bcustomer(?:\s*name)?\b(?!\s*(?:no|number|nr|id|ref|#|service|since|order|copy|po|vat|account|address))|\bbuyer\b|\bclient\b(?!\s*(?:no|number|id|n[°º]))|\binvoice\s*for\b|\brechnungsempfänger\b|\bfactur[ée]\s*à\b|\bkunde\b|\bklant\b|\bcliente\b|\b(?:rechnung\s*an|rechnungsadresse)\b|\battn\b|\bdestinataire\b|\bacheteur\b|\bkäufer(?:\s*\/\s*leistungsempfänger)?\b|\bcredit(?:ed)?\s*to\b|\baccount\s*(?:name|holder)\b|\bservice\s*(?:for|to)\b|\bfacturer\s*à\b`,
  ),
  shipTo: label(
    String.raw`\b(?:ship(?:ped)?|deliver(?:ed|y)?)\s*(?:to|address)\b|\bconsignee\b|\blieferadresse\b|\blivr[ée]\s*à\b|\brecipient\b`,
  ),
  vendor: label(
    String.raw`\b(?:vendor|supplier|seller|from|sold\s*by|issued\s*by|bill\s*from|verkäufer|fournisseur|vendeur|leverancier|lieferant(?!\p{L}))\b(?=\s*:|\s*$)`,
  ),
} as const;
