import type { AmountCandidate } from '../amounts.ts';

/** What a line's label says its amount is. */
export type AmountRole =
  | 'change'
  | 'rounding'
  | 'discount'
  | 'count'
  | 'tax'
  | 'part'
  | 'subtotal'
  | 'tip'
  | 'service'
  | 'grand_total'
  | 'total'
  | 'cash'
  | 'card'
  | 'amount'
  | 'none';

export interface RoledAmount extends AmountCandidate {
  role: AmountRole;
}

/** English, Malay, German, French, Spanish, Italian, Dutch, Portuguese, Afrikaans; the first rule that matches wins. */
const RULES: [AmountRole, RegExp][] = [
  [
    'change',
    /\bchange\b(?! machine)|\bbaki\b|wisselgeld|\bterug\b|r[u]ckgeld|\bzuruck\b|\brendu\b|a rendre|monnaie|\bcambio\b|\bvuelto\b|\bresto\b|\btroco\b|kleingeld|vaxel/,
  ],
  [
    'count',
    /\b(?:total|no\.?|number of)\s*(?:qty|quantity|items?|item\(s\)|pcs|units?)|^(?!.*subtot).*\bqty\b(?!.*total)|points?\b|total item|balance points|\b(?:anzahl|aantal|nombre|numero|pezzi)\b/,
  ],
  [
    'grand_total',
    /total.*(?:after|incl|with|w\/).*(?:round|gst|tax|sst)|round\w*\s+total|total.*rounded|rounded.*total|total\s*\(?incl/,
  ],
  ['part', /total\s*\d{0,2}(?:[.,]\d+)?\s?%|(?:zero|standard)[- ]rated?\b.*total|taxable|exempt/],
  [
    'grand_total',
    /(?:total|amount|amt|paid?|sales).*\bincl|inclusive.*(?:gst|tax|sst|vat)|(?:total|summe|gesamt|totaal)\W*(?:ttc|inkl|iva incl)|net a payer/,
  ],
  ['rounding', /\bround|afronding|arrondi|redondeo|arrotondamento|rundung|bundaran|avrundning|arredondamento/],
  [
    'discount',
    /\bdisc|saving|\bsaved|rabat|remise|voucher|rebate|coupon|korting|\bafslag|descuento|sconto|desconto|nachlass|reduction/,
  ],
  [
    'subtotal',
    /subtot|sub total|total\s*\(?(?:excl|exd|exo|before|w\/o|without|ht\b|hors)|\bexcl|net{1,2}o\b|sous.?tot|zwischens|tussentotaal|amount before|hors taxe|\bimponib|exkl\b/,
  ],
  ['tip', /\btips?\b(?!\s*(?:guide|suggest))|gratuity|pourboire|trinkgeld|propina|\bmancia\b|gorjeta|\bfooi/],
  [
    'service',
    /serv\w*\s*(?:charge|chg|tax|fee)|\bs\.?\s?charge|svc|\bcoperto\b|bedieningsgeld|(?:delivery|booking) fee/,
  ],
  [
    'grand_total',
    /total\s*(?:amount|sales|amt)?.*\bincl|grand|total.{0,12}(?:due|payable|to pay|pay\b|eur\b|euro\b)|amount\s*(?:due|payable|to pay|paid)|balance\s*due|net{1,2}\s*(?:total|amount|amt)|total\s*(?:amount|sales|amt|rm|bill|charge|fare|sale)|amount\s*total|\ba payer|te betalen|zu zahlen|gesamtbetrag|endbetrag|rechnungsbetrag|zahlbetrag|a pagar|importe total|total\w* (?:complessivo|compra|factura|generale)|da pagare|valor total|verskuldig|eindtotaal|groot ?totaal/,
  ],
  [
    'tax',
    /(?:\b|total)g\.?s\.?[ti](?:\b|amt|am)(?!\s*(?:reg|no\b|id\b|ref))|\bs\.?s\.?t\b|\bv\.?a\.?t\b(?!\s*(?:reg|no\b|id\b))|\btax\b(?!\s*invoice)|\bt\.?v\.?a\b|\bb\.?t\.?w\b|mwst|\bi\.?v\.?a\b|\bust\b|umsatzsteuer|\bigv\b|\b[hpq]st\b|\bmoms\b|impuesto|imposta\b|belasting|\btaxes?\b(?!\s*invoice)|cukai/,
  ],
  ['total', /\btotal\b|total[:;=]|^total|\btotaa?l|\bsumme\b|\bgesamt|\btotale\b|\bjumlah\b|\bsumma\b|\bimporte\b/],
  [
    'cash',
    /\bcash\b|tender|\btunai\b|\bbar(?:geld|zahlung)?\b|especes|contant|\bpaid\b|payment|\breceived|gegeben|erhalten|efectivo|entregado|dinheiro|numerario|\bkontant|ontvangen|\brecu\b|betaald|pagado|pagato/,
  ],
  [
    'card',
    /visa|master|\bcard\b|debit|credit|amex|maestro|\bpin\b|eftpos|\b(?:ec|giro)?-?kart[ey]?\b|girocard|carte\b|\bcb\b|tarjeta|\bcarta\b|cartao|\bkaart|bancontact|bankomat|multibanco|paypal|(?:apple|google) ?pay|e-?wallet|contactless/,
  ],
  [
    'amount',
    /\bamount\b|\bamt\b|\bmontant\b|\bbetrag\b|\bbill\b|\bpay\b|\bbedrag\b|\bfare\b|\bcharge[sd]?\b|brutto|\bsale\b/,
  ],
];

/** `label` in lower case; accents don't matter. */
export function roleOf(label: string): AmountRole {
  const plain = label.normalize('NFD').replace(/\p{M}/gu, '');
  return RULES.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'none';
}

export const withRole = (amount: AmountCandidate): RoledAmount => ({ ...amount, role: roleOf(amount.label) });
