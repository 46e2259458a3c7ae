/** Labels of the sums under a table, of the sums of pages, and of what follows a table. Anchored at the line's start. */

const TOTALS = [
  String.raw`sub[\s-]?to?taa?[l1i]e?s?`,
  String.raw`(?:grand|net|gross|invoice|order|credit|document|overall|final|cart|items?|line|lines|goods|labou?r|parts|job)?\s*total[es]?\b`,
  String.raw`totaa?l(?:e|bedrag|betrag)?\b`,
  String.raw`(?:net|gross|taxable|untaxed|exempt|total)\s*(?:amount|value|price|weight|payable|qty|quantity)`,
  String.raw`(?:amount|balance|sum)\s*(?:due|payable|outstanding|paid|total|owing)`,
  String.raw`(?:zwischen|gesamt|end|rechnungs|netto|brutto|positions|beleg|auftrags|gutschrifts|schluss)[\s-]?(?:summen?|betr[aä]g|total|wert)`,
  String.raw`summen?\b|gesamt(?:netto|brutto|preis)?\b|netto\b|brutto\b|warenwert|zahlbetrag|gesamtbeitrag`,
  String.raw`(?:zzgl|zuz[üu]gl|inkl|enth)\w*\.?\s.*(?:ust|mwst|steuer)|(?:\d+\s?%\s*)?(?:ust|mwst|umsatzsteuer\w*|mehrwertsteuer\w*|versicherung\w*teuer)\b`,
  String.raw`sous[\s-]?total|montant\s*(?:ht|ttc|total|net|tva|hors)|net\s*[àa]\s*payer|total\s*(?:ht|ttc|tva)|(?:dont\s*)?tva\b|base\s*(?:ht|imponible|tva)`,
  String.raw`importe\s*(?:total|neto|bruto)|suma\b|iva\b|cuota\b|a pagar|total\s*(?:factura|a pagar)`,
  String.raw`totale?\b|imponibile|imposta|importo\s*(?:totale|netto)|netto a pagare`,
  String.raw`subtotaal|exclusief|inclusief|te\s*(?:betalen|voldoen)|btw\b|totaal`,
  String.raw`valor\s*(?:total|l[ií]quido)|soma|total\s*(?:geral|l[ií]quido)|subtotaal|groottotaal|bedrag\s*verskuldig`,
  String.raw`(?:add\s*|plus\s*|less\s*|output\s*|sales\s*|\d+(?:[.,]\d+)?\s?%\s*)?(?:vat|gst|sst|tax(?:es)?|hst|pst|qst|cgst|sgst|igst|moms|sales tax|service tax|withholding tax)\b(?!\w)`,
  String.raw`round(?:ing|ed|off)\b|arrondi|rundung|redondeo|afronding|jumlah\b|paid\b|amount in words|in words`,
  String.raw`credit\s*(?:ex|inc|excl|incl|total|value)(?!\p{L})|(?:net|nett)\s*(?:[£$€]?\s*\d|$)|(?:please\s*)?pay\s*this\s*amount|honorar\s*(?:netto|brutto|gesamt)|maatstaf|te\s*uwen\s*gunste|base\s*de\s*c[áa]lculo|incid[êe]ncia|retenci[óo]n|ritenuta|reten[çc][ãa]o`,
  String.raw`(?:celkem|spolu|základ\s*dan[eě]|dph|k\s*úhrad[eě])(?!\p{L})|razem(?!\p{L})|do\s*zapłaty|(?:nettó|bruttó)?\s*összesen|áfa(?!\p{L})|fizetendő|total\s*de\s*plată|(?:summa|delsumma|att\s*betala|i\s*alt|at\s*betale|å\s*betale|moms|mva)(?!\p{L})|yhteensä|alv(?!\p{L})|maksettava|(?:ara|genel)?\s*toplam|kdv(?!\p{L})|ödenecek|(?:sve)?ukupno|osnovica|pdv(?!\p{L})|skupaj|ddv(?!\p{L})`,
  String.raw`(?:total|no\.?|number)\s*(?:of\s*)?(?:items?|pcs|pieces|units|qty|quantity|lines|cartons|packages)`,
];
const CLOSING = [
  String.raw`payment\s|terms\b|bank\b|iban\b|swift\b|bic\b|account (?:no|number|name)|thank|notes?\s*[:.]?\s*$|notes?:|remarks?\b|comments?:?\s*$|please\b|received\b.*(?:condition|by)|signature|signed|authori[sz]ed|e\.? ?& ?o\.? ?e`,
  String.raw`zahlungs|bankverbindung|bitte\b|vielen dank|unterschrift|mit freundlichen|lieferung erhalten|hinweis|die ware`,
  String.raw`conditions?\s*(?:de|g[ée]n)|modalit[ée]s|merci|r[èe]glement|signature|arr[êe]t[ée]`,
  String.raw`forma de pago|condiciones|gracias|firma|observaciones|metodo di pagamento|pagamento|grazie|firma|note\s*:?\s*$`,
  String.raw`betaling|gelieve|bedankt|handtekening|opmerking|pagamento|obrigad|assinatura|observa[çc]|betaal|dankie|all\s?amounts\b|alle bedragen|alle betr[aä]ge`,
];
const CARRIED = [
  String.raw`[üu]bertrag|vortrag\b|seitensumme|fortsetzung`,
  String.raw`(?:balance|amount|total)?\s*(?:carried|brought)\s*(?:forward|over|down)|carry\s?(?:over|forward)|b\/f\b|c\/f\b|page (?:sub)?total|sub\s?total page|total (?:this )?page|continued|previous page`,
  String.raw`[àa] reporter|report\b|suite|suma (?:y sigue|anterior)|a riportare|riporto|transporter?en|transporte|transport\b|te transporteren|vervolg|oorgedra`,
];
const EXTRAS = String.raw`shipping|freight|delivery(?! note)|postage|carriage|handling|packing|surcharge|discount|rabatt|versand|fracht|porto|verpackung|nachlass|remise|rabais|frais|port\b|livraison|env[íi]o|portes|descuento|spedizione|trasporto|sconto|verzend|korting|frete|desconto|deposit|tip\b|service charge|credit applied|allowance|adjustment`;

const start = (parts: string[]): RegExp => new RegExp(String.raw`^[^\p{L}\d]*(?:${parts.join('|')})`, 'iu');

/** A sum under the rows, or a tax. */
export const TOTALS_LABEL = start(TOTALS);
/** What stands under a table and is no part of it. */
export const CLOSING_LABEL = start(CLOSING);
/** The sum of a page that the next one takes over. */
export const CARRIED_LABEL = start(CARRIED);
/** Costs and reductions: rows where they stand among them, totals where they stand under them. */
export const EXTRAS_LABEL = start([EXTRAS]);
/** The foot or head of a page. */
export const PAGE_LABEL =
  /^\W*(?:(?:page|seite|pagina|página|pág|bladsy|sida|side|strona|blatt|pg)\.?\s*:?\s*\d|\d+\s*(?:of|von|de|di|van|sur)\s*\d+\s*$|\d+\s*\/\s*\d+\s*$)/i;
