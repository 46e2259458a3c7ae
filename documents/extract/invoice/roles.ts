import { furtherAmounts } from './further-languages.ts';

/** What an amount of an invoice is, by the words beside or above it. */
export type AmountRole =
  | 'gross'
  | 'total'
  | 'due'
  | 'net'
  | 'tax'
  | 'discount'
  | 'shipping'
  | 'withheld'
  | 'paid'
  | 'previous'
  | 'other'
  | 'none';

const PREVIOUS =
  /previous|last\s*(?:bill|statement|balance)|opening\s*balance|brought\s*forward|unpaid\s*balance|saldo alt|vorheriger|solde precedent|saldo anterior|saldo precedente|vorig saldo/;
const PAID =
  /\bpaid\b|payments?\s*(?:received|made|thank)|received|anzahlung|\bgezahlt|geleistet|bereits|acompte|deja (?:paye|regle)|\bpagad[oa]\b|\bpag[oa]\b|\bpagato\b|\bpaye\b|\bbezahlt\b|\bbetaald\b|\bbetaal\b|\bbetalt\b|\bbetald\b|gutgeschrieben|\bcredite\b|\bcredited\b(?!\s*total)|anticipo|acconto|reeds betaald|voldaan op|deposit|prepaid|credit applied|already|vorauszahlung|abschlagszahlung|betaling/;
const DISCOUNT =
  /discount|rabatt|nachlass|abschlag|abschlage|remise|korting|descuento|\bsconto|desconto|afslag|\brabat\b|allowance|skonto|ristourne|escompte/;
const SHIPPING =
  /shipping|freight|delivery\s*(?:charge|fee|cost)|postage|carriage|handling|versand|fracht|liefer(?:kosten|gebuhr)|\bporto\b|frais\s*(?:de\s*)?(?:port|livraison|transport)|\bport\b(?!ion)|verzend|bezorg|gastos de envio|\benvio\b|spedizione|trasporto|portes|\bfrete\b|aflewer|frakt|transportkosten/;
const OTHER =
  /quantity|\bpcs\b|\bqty\b|weight|\bkwh\b|round(?:ing|ed)|zuschlag|\bunits?\b|exchange|in words|you save|savings|points|^\W*credits?\W*$|\biban\b|\bfax\b|\btel\b|cash\s*(?:back)?\s*$|change\s*$|adjustment|late fee|interest/;
const DUE =
  /(?:amount|balance|total|sum)\s*(?:is\s*)?(?:now\s*)?(?:due|payable|outstanding|owing)|\bdue\b|payable|zahlbetrag|zahlungsbetrag|net a payer|[a]\s*payer|te\s*betalen|verskuldig|outstanding|fallig|\bforderung|zu\s*zahlen|\bto\s*pay\b|a\s*pagar|da\s*pagare|openstaand|att\s*betala|a betale|do zaplaty|restbetrag|reste\s*a|pendiente|em\s*divida|em\s*aberto|da\s*saldare|resta\s*da|offener betrag|amount\s*owing|pay\s*this\s*amount/;
const GROSS =
  /grand|gross|brutto|\bttc\b|t\.t\.c|\bincl?\b|inclusive|including|\binkl|incluant|iva\s*incl|rechnungsbetrag|rechnungsbeitrag|rechnungssumme(?!.*ohne)|gesamtbetrag|gesamtsumme|endbetrag|endsumme|(?:invoice|order|credit(?:\s*note)?|note|document|bill|po)\s*(?:total|amount|value)|total\s*(?:amount|price|invoice|order|credit|cost|value|eur|usd|gbp|zar|rm|factura|fattura|facture|general|a\s*facturer|credited)|montant\s*total|importe\s*total|importo\s*totale|totale\s*(?:documento|fattura)|totaal\s*(?:bedrag|te)|totaalbedrag|valor\s*total|te\s*voldoen|gesamt\s*(?:eur|€)|total\s*du|suma\s*brutto|att\s*betala/;
const NET =
  /sub[\s-]?tota?a?l[e]?|\bnet\b|\bnetto\b|net\s*amount|\bht\b|h\.t\b|hors\s*taxe|\bexcl|exclusi|zwischensumme|sous.?total|ohne\s*(?:ust|mwst|steuer|umsatz)|without\s*(?:vat|tax)|positionssumme|untaxed|\btaxable|warenwert|nettobetrag|nettosumme|basis(?:betrag)?|before\s*(?:tax|vat)|imponibile|base\s*(?:imponible|amount|ht)|base\s*tributavel|subtotaal|subtotaux|total\s*of\s*lines|total\s*(?:amount\s*of\s*)?lines|delsumma|gesamtbeitrag|summe\s*netto|zzgl/;
const TAX =
  /\btax(?:es)?\b|\bvat\b|\bgst\b|\bcgst\b|\bsgst\b|\bigst\b|\bhst\b|\bsst\b|\btva\b|\bbtw\b|mwst|\bust\b|umsatzst|mehrwertst|steuerbetrag|\biva\b|steuer\b|versicherungst|\bmoms\b|\bmva\b|belasting|\bigic\b|\bimpuesto/;
/** "Total excl. VAT", "Total before tax": the tax's name does not make the amount a tax. */
const NET_OF_TAX =
  /(?:excl\w*\.?|without|before|ohne|hors|ex\.?|exclusi\w*|sin|senza|sem|exkl\w*\.?|net\s*of)\s*(?:of\s*)?(?:\d+\s*%\s*)?(?:the\s*)?(?:vat|tax|gst|btw|ust|mwst|tva|taxes|taxe|iva|steuer|moms)|untaxed|taxable/;
const GROSS_WITH_TAX =
  /(?:incl\w*\.?|with|inkl\w*\.?|mit|toutes|con|including|tax\s*inclusive)\s*(?:of\s*)?(?:\d+\s*%\s*)?(?:the\s*)?(?:vat|tax|gst|btw|ust|mwst|tva|taxes|iva|moms)/;
const TAX_TOTAL =
  /(?:total|gesamt|totaal)\s*(?:\w+\s*)?(?:tax|vat|gst|tva|btw|iva|mwst|ust|steuer)|steuerbetrag|(?:tax|vat|gst|tva|iva|btw)\s*(?:amount|total|betrag|bedrag)|montant\s*(?:de\s*la\s*|total\s*(?:de\s*)?)?tva/;
const TOTAL = /\btotal[e]?\b|\btotaal\b|\bsumme\b|\bgesamt\b|\bsumma\b|\btotalt\b|\brazem\b|\bto\s*tal\b/;

/** Tax on income that the buyer keeps back and pays for the seller. */
const WITHHELD = /\birpf\b|\bretenci|\britenuta|\bretencao|withh[eo]ld|retenue|\btds\b|stopaj|tevkifat/;
/** The words of ten further languages go with those above. */
const either = (pattern: RegExp, further: string): RegExp => new RegExp(`${pattern.source}|${further}`);
const ANY_TAX_TOTAL = either(TAX_TOTAL, furtherAmounts.taxTotal);

const RULES: [AmountRole, RegExp][] = [
  ['withheld', WITHHELD],
  ['previous', either(PREVIOUS, furtherAmounts.previous)],
  ['paid', either(PAID, furtherAmounts.paid)],
  ['net', NET_OF_TAX],
  ['gross', GROSS_WITH_TAX],
  ['tax', ANY_TAX_TOTAL],
  ['discount', either(DISCOUNT, furtherAmounts.discount)],
  ['shipping', either(SHIPPING, furtherAmounts.shipping)],
  ['due', either(DUE, furtherAmounts.due)],
  ['other', OTHER],
  ['gross', either(GROSS, furtherAmounts.gross)],
  ['net', either(NET, furtherAmounts.net)],
  ['tax', either(TAX, furtherAmounts.tax)],
  ['total', either(TOTAL, furtherAmounts.total)],
];

/** The first rule that matches a folded label; "none" where its words say nothing about amounts. */
export const roleOf = (label: string): AmountRole => RULES.find(([, pattern]) => pattern.test(label))?.[0] ?? 'none';

/** The label sums taxes up, so it goes before the lines of the rates. */
export const isTaxTotal = (label: string): boolean => ANY_TAX_TOTAL.test(label);
