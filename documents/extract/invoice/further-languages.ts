/**
 * What is printed on invoices in Swedish, Danish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian, Romanian, Turkish,
 * Croatian and Slovene, as alternatives for the patterns of the languages in `lexicon.ts`. As `fold` reads them: lower case,
 * no accents.
 */
const NO = String.raw`\s*(?:nr\b\.?|no\b\.?|c(?:islo)?\b\.?|n[°o]?\.(?!\w)|nro\b\.?|br(?:oj)?\b\.?|st\b\.?|numer\b|numero\b|numar\b|numarasi\b|szama?\b|sorszama\b|#)`;
const NUMBER_OF = String.raw`\b(?:numer|nr\.?|cislo|c\.|numar(?:ul)?|broj|br\.|stevilka|st\.)\s*`;

export const further = {
  invoiceNumber: [
    String.raw`${NUMBER_OF}(?:faktury|dokladu|dokumentu|facturii|facturi|racuna)\b`,
    String.raw`\b(?:faktura(?:\s*vat)?|doklad|racun|szamla|lasku(?:n)?|factura\s*fiscala)${NO}`,
    String.raw`\b(?:faktura|kvitterings|laskun?)[\s-]*(?:nummer|nro|nr|numero)\b\.?`,
    String.raw`\b(?:szamla)?sorszama?\b`,
    String.raw`\bseria\s*[a-z]{1,6}\s*(?:nr|numar)\b\.?`,
  ],
  creditNumber: [
    String.raw`\b(?:faktura\s*koryguj\w*|korekta(?:\s*faktury)?|dobropis|opravny\s*danovy\s*doklad|helyesbito\s*szamla|hyvityslasku\w*|kreditn[ai]\s*(?:nota|racun)|odobrenie)(?:${NO})?`,
  ],
  orderNumber: [
    String.raw`${NUMBER_OF}(?:zamowienia|objednavky|comenzii|comanda|narudzb\w*|narocil\w*)\b`,
    String.raw`\b(?:zamowieni[ea]|objednavk[ay]|megrendeles|rendeles|comanda|siparis|narudzb(?:a|enica)|narocilo|tilaus)${NO}`,
    String.raw`\b(?:(?:inkops|kop)?order|ordre|bestilling(?:s|en)?|bestallnings|tilaus|rekvisisjons?)[\s-]*(?:nummer|nr|nro|numero)\b\.?`,
    String.raw`\b(?:meg)?rendelesszam\b`,
  ],
  deliveryNumber: [
    String.raw`\b(?:dodaci\s*list|dokument\s*wz|wz|szallitolevel|aviz(?:\s*de\s*insotire)?|irsaliye|otpremnica|dobavnica|lahete|lahetysluettelo)(?:${NO})`,
    String.raw`\b(?:foljesedel|folgeseddel|pakkseddel|lahetteen|lahete)[\s-]*(?:s?nummer|nr|nro|numero)\b\.?`,
  ],
  invoiceDate: [
    String.raw`\bdatum\s*(?:vystaveni|vyhotovenia|vystavenia|racuna|izdavanja|izdaje)\b`,
    String.raw`\b(?:szamla\s*)?kelte\b`,
    String.raw`\bkiallitas\s*(?:datuma|kelte)\b`,
    String.raw`\bdata\s*(?:facturii|emiterii|wystawienia|sporzadzenia)\b`,
    String.raw`\b(?:fatura|duzenleme)\s*tarihi\b`,
    String.raw`\blaskun?\s*(?:paivays|paivamaara|pvm)\b`,
    String.raw`\bpaivays\b`,
  ],
  dueDate: [
    String.raw`\bforfallo?s?[\s-]*(?:dag|dat(?:o|um))\b`,
    String.raw`\b(?:forfald(?:sdato)?|betalingsfrist|betalas\s*senast|oss\s*tillhanda(?:\s*senast)?|sista\s*betalningsdag)\b`,
    String.raw`\bera\s*-?\s*(?:paiva|pvm)\b`,
    String.raw`\b(?:termin\s*(?:platnosci|zaplaty)|platne\s*do|platnosc\s*do)\b`,
    String.raw`\b(?:datum\s*)?splatnost[ii]?\b`,
    String.raw`\b(?:fizetesi\s*hatarido|esedekesseg)\b`,
    String.raw`\b(?:data\s*scadent\w*|scadent\w*|termen\s*de\s*plata)\b`,
    String.raw`\b(?:son\s*odeme\s*tarihi|vade(?:\s*tarihi)?)\b`,
    String.raw`\b(?:datum\s*)?(?:dospijeca|dospijece|zapadlosti|rok\s*placanja|rok\s*placila)\b`,
  ],
};

/** Headings over a party; of `weak` ones only where they stand alone or before a colon. */
export const furtherParties = {
  shipTo: String.raw`leverans?adress|leveringsadresse|toimitusosoite|dodaci\s*adresa|adres\s*dostawy|szallitasi\s*cim|adresa\s*(?:de\s*)?livrar\w*|teslimat\s*adresi|adresa\s*dostave`,
  customer: String.raw`faktur(?:eres|erings?adress|aadress)e?\w*(?:\s*til)?|laskutusosoite|szamlazasi\s*cim|adres\s*do\s*faktury|fakturacni\s*adresa|fatura\s*adresi|tomador(?:\s*d[eo]s?\s*servicos?)?|datos\s*de\s*facturacion|a\s*l'attention\s*de(?=\s*:?\s*$)|sayin\b`,
  vendor: String.raw`prestador(?:\s*d[eo]s?\s*servicos?)?(?=\s*:?\s*$)`,
  weakShipTo: String.raw`prijemce|konecny\s*prijemce|prijemca`,
  weakCustomer: String.raw`odberatel|kupujici|vevo|megrendelo|cumparator|beneficiar|alici|musteri|ostaja|asiakas|kupac|narucitelj|kupec|narocnik|nabywca|platnik|zamawiajacy`,
  weakVendor: String.raw`dodavatel|prodavajici|zhotovitel|elado|szallito|kibocsato|furnizor|prestator|satici|myyja|toimittaja|laskuttaja|prodavatelj|izdavatelj|dobavitelj|wystawca|wykonawca`,
};

/** What the sums of an invoice are called. */
export const furtherAmounts = {
  previous: String.raw`predchozi\s*zustatek|poprzedni\w*\s*saldo`,
  paid: String.raw`zaplaceno|uhrazeno|zaloh\w*|zaplacono|wplacono|eloleg|kifizetve|achitat|avans|odendi|maksettu|placeno|uplaceno`,
  discount: String.raw`sleva|zlava|kedvezmeny|engedmeny|reducere|alennus|iskonto|indirim|popust|upust`,
  shipping: String.raw`doprav[ane]|postovne|szallitasi\s*koltseg|wysylka|dostawa|toimituskulu\w*|kargo|dostava|postnina`,
  due: String.raw`k\s*uhrade|k\s*zaplaceni|fizetendo|maksettava|odenecek|za\s*(?:uplatu|placanje|placilo)|(?:total\s*)?de\s*plata|til\s*betaling|at\s*betale|te\s*uwen\s*gunste`,
  gross: String.raw`(?:celkem|spolu|cena)\s*(?:s|vc\w*\.?)\s*dph|vcetne\s*dph|brutto\s*osszesen|osszesen\s*brutto|razem\s*brutto|(?:wartosc|kwota)\s*brutto|genel\s*toplam|vergiler\s*dahil|loppusumma|sveukupno|skupaj\s*z\s*ddv|honorar\s*brutto`,
  net: String.raw`bez\s*(?:dph|pdv|ddv|vat)|zaklad\s*dane|netto\s*osszesen|osszesen\s*netto|razem\s*netto|(?:wartosc|kwota)\s*netto|fara\s*tva|ara\s*toplam|matrah|veroton|osnovica|osnova\s*za\s*ddv|\bexkl|\bekskl?\b|eks\.?\s*mva|netto\b|maatstaf|incidencia|base\s*de\s*calculo`,
  tax: String.raw`\bdph\b|\bafa\b|\bptu\b|\balv\b|\bkdv\b|\bpdv\b|\bddv\b`,
  taxTotal: String.raw`kwota\s*vat|vat\s*razem|(?:celkem|spolu)\s*dph|dph\s*(?:celkem|spolu)|(?:osszes\s*)?afa\s*osszesen|(?:toplam|hesaplanan)\s*kdv|iznos\s*pdv|alv\s*yhteensa|moms\s*totalt?`,
  total: String.raw`\bcelkem\b|\bspolu\b|\bosszesen\b|\btoplam\b|\byhteensa\b|\bukupno\b|\bskupaj\b|\bi\s*alt\b`,
};
