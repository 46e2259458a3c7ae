import type { DocumentType } from '../types.ts';

/** Evidence for one type: a pattern, and the weight that it adds to the type's log-odds. */
export interface Evidence {
  type: DocumentType;
  pattern: RegExp;
  weight: number;
  /** Counts only in the first lines of the document. */
  head?: boolean;
}

const entry = (type: DocumentType, weight: number, source: string, head = false): Evidence => ({
  type,
  weight,
  pattern: new RegExp(source, 'iu'),
  ...(head ? { head } : {}),
});

/** Titles weigh most, then labels that hardly occur elsewhere, then words of the trade. */
export const evidence: Evidence[] = [
  entry(
    'invoice',
    3,
    String.raw`^\W*(?:(?:tax|commercial|vat|sales|final|ihre|handels|service|electronic)\s*-?)*(?:invoice|rechnung|facture|factuur|factura|fattura)\b`,
    true,
  ),
  entry(
    'invoice',
    1.5,
    String.raw`\binvoice\s*(?:no|number|nr|#|date|id)\b|rechnungs(?:nr|nummer|datum)|factuur(?:nummer|datum)|num[ée]ro de facture|date de facture|facture\s+(?:n|[A-Z]{2}-)`,
  ),
  entry(
    'invoice',
    1,
    String.raw`\bbill(?:ed)?\s*to\b|\bdue\s*date\b|payment\s*terms|zahlungsbedingungen|échéance|fällig|zahlbar`,
  ),
  entry('invoice', 0.8, String.raw`\biban\b|\bbic\b|\bswift\b|käufer|verkäufer`),
  entry('invoice', 2, String.raw`\b\p{L}*rechnung\b(?!skorrektur)`, true),
  entry('receipt', 2, String.raw`\bcash(?:ier)?\b|\bkassier|\bcaissier`),
  entry('receipt', 1.6, String.raw`\bchange\b(?!\s*(?:of|order|in))|\btender|\brendu\b|\bwisselgeld`),
  entry('receipt', 1.2, String.raw`\breceipt\b|\breçu\b|\bticket\b|cash\s*(?:bill|sales?)\b|\bkassenbon\b`),
  entry('receipt', 1, String.raw`thank\s*(?:you|s)\b|come\s*again|goods\s*sold|simplified\s*tax\s*invoice|\bmerci\b`),
  entry(
    'receipt',
    1,
    String.raw`\bvisa\b|\bmastercard\b|\bapproval\b|\bauth\s*code|\btips?\b|\btable\b|\bpax\b|\bserver\b|\bpump\b`,
  ),
  entry('receipt', 1.5, String.raw`\brounding\b|\brounded\b|gst\s*summ|(?:tax|gst)\s*code|\bqty\b.*\bprice\b`),
  entry(
    'credit_note',
    6,
    String.raw`credit\s*(?:note|memo)|\bgutschrift\b|rechnungskorrektur|\bavoir\b|nota de crédito|creditnota|creditfactuur`,
    true,
  ),
  entry(
    'credit_note',
    2,
    String.raw`credit\s*(?:note|memo)\s*(?:no|number|nr|#|date)|credit\s*total|against\s*invoice|original\s*invoice`,
  ),
  entry(
    'purchase_order',
    5.5,
    String.raw`^\W*(?:\p{L}+\s+)?(?:purchase\s*order|bestellung|bon de commande|order-x|order\s*(?:change|confirmation))\b|\bpurchase\s*order\b\W*$`,
    true,
  ),
  entry(
    'purchase_order',
    2,
    String.raw`\bp\.?o\.?\s*date\b|order\s*date|ship\s*to\b|\bsupplier\s*:|authori[sz]ed\s*by|buyer\s*reference|order\s*total`,
  ),
  entry(
    'delivery_note',
    6,
    String.raw`delivery\s*(?:note|docket)|packing\s*(?:slip|list)|\blieferschein\b|bon de livraison|dispatch\s*note|goods\s*(?:received|dispatch)`,
    true,
  ),
  entry(
    'delivery_note',
    2,
    String.raw`received\s*(?:in\s*good|by)|carrier|delivered\s*by|qty\s*(?:shipped|delivered|ordered)|driver|parcels|no of packages`,
  ),
  entry(
    'supplier_statement',
    6,
    String.raw`statement\s*of\s*account|(?:supplier|customer)\s*statement|^\W*statement\W*$|kontoauszug.*kunde`,
    true,
  ),
  entry(
    'supplier_statement',
    2,
    String.raw`brought\s*forward|\b30\s*days\b|\b60\s*days\b|\b90\s*days\b|ag(?:e)?ing|outstanding|current\s+30`,
  ),
  entry('supplier_statement', 1.5, String.raw`\b(?:inv|pmt|crn)\d{3,}.*\b(?:invoice|payment|credit note)`),
  entry(
    'bank_statement',
    4,
    String.raw`bank\s*statement|account\s*holder|statement\s*period|account\s*summary|\bkontoauszug\b|relevé de compte|account\s*activity|statement\s*of\s*(?:your\s*)?account\s*(?:from|for)`,
  ),
  entry('bank_statement', 2.2, String.raw`(?:opening|beginning|starting|closing|ending|previous|new)\s*balance`),
  entry(
    'bank_statement',
    2.5,
    String.raw`\bdeposits?\b|\bwithdrawals?\b|\bdirect\s*debit\b|\batm\b|money\s*(?:in|out)|paid\s*(?:in|out)|\bdebits?\b.*\bcredits?\b|(?:withdrawals?|paid\s*out|money\s*out|debits?)\b.*\bbalance\b|sort\s*code|overdraft`,
  ),
  entry('bank_statement', 1.2, String.raw`\bbank\b|building\s*society|checking|savings\s*account`, true),
  entry(
    'bill',
    4.5,
    String.raw`(?:electricity|gas|water|energy|utility|telephone|phone|internet|broadband|mobile|power|sewer|heating|council tax)\s*(?:&\s*\p{L}+\s*)?(?:bill|statement|invoice|account)|^\W*(?:your\s*)?bill\W*$`,
    true,
  ),
  entry(
    'bill',
    2.2,
    String.raw`\bk[wv]h\b|meter\s*(?:reading|number|serial|no)?|standing\s*charge|billing\s*period|bill\s*date|service\s*address|usage|tariff|supply\s*address|previous\s*reading`,
  ),
  entry(
    'contract',
    4.5,
    String.raw`\b(?:non-?\s?disclosure|confidentiality|service|employment|lease|master|purchase|license|consulting|rental|mutual)\s*(?:and\s*\p{L}+\s*)?(?:\p{L}+\s*)?agreement\b|\bagreement\b\W*$|^\W*contract\b|\bvertrag\b`,
    true,
  ),
  entry(
    'contract',
    2.5,
    String.raw`\bwhereas\b|hereinafter|hereby|witness\s*whereof|governed\s*by|undersigned|the\s*parties\b|receiving\s*party|disclosing\s*party|this\s*agreement`,
  ),
  entry('resume', 4, String.raw`curriculum\s*vitae|\br[eé]sum[eé]\b(?!d)|\blebenslauf\b`, true),
  entry(
    'resume',
    2.2,
    String.raw`^\W*(?:work\s*|professional\s*)?experience\W*$|^\W*education\W*$|^\W*(?:technical\s*)?skills\b|^\W*publications\W*$|^\W*projects\W*$|^\W*(?:extracurricular|certificat|honors|awards|employment|languages|summary|objective)`,
  ),
  entry('resume', 1, String.raw`linkedin|github\.com|university|bachelor|b\.?sc|m\.?sc|ph\.?d|gpa`),
  entry('passport', 5, String.raw`^\W*P[<A-Z][A-Z]{3}[A-Z<]{8,}|P<[A-Z]{3}`),
  entry('passport', 3.5, String.raw`\bpassport\b|\bpasse?port\w*|\breisepass\b|\bpas(?:s)?i\b|\bvegabr[eé]f|paszport`),
  entry(
    'id_document',
    3.5,
    String.raw`identity\s*card|\bpersonalausweis\b|carte\s*(?:nationale\s*)?d['’]identit|identification\s*card|\bid\s*card\b|residen(?:t|ce)\s*(?:card|permit)?|permanent\s*resident|osebna izkaznica|carte de identitate|identity number`,
  ),
  entry(
    'id_document',
    4,
    String.raw`^\W*(?:I[D<A-Z]|A[<R]|C[<1I])[A-Z<]{3}[A-Z0-9<]{6,}<|^[A-Z0-9]{5,}<{2,}[A-Z0-9<]*$`,
  ),
  entry(
    'drivers_license',
    6,
    String.raw`driver'?s?'?\s*licen[cs]e|driving\s*licen[cs]e|driver\s*license|führerschein|permis de conduire|\bdl\s*(?:no|#|number)|\bdln\b`,
  ),
  entry(
    'drivers_license',
    2,
    String.raw`\bclass\b.*\b(?:c|d|dm|b)\b|\bend(?:orsements)?\b.*none|\brest(?:rictions)?\b|\b(?:4d|3\s*dob|4b\s*exp|9\s*class|5\s*dd)\b|\bdonor\b`,
  ),
  entry(
    'proof_of_address',
    5,
    String.raw`proof\s*of\s*(?:address|residence)|residence\s*(?:confirmation|certificate)|confirmation\s*of\s*address|meldebescheinigung|to\s*whom\s*it\s*may\s*concern`,
    true,
  ),
  entry('proof_of_address', 1.5, String.raw`resid(?:es|ing)\s*at|registered\s*address`),
];
