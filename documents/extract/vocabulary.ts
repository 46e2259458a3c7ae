/**
 * The words that labels of amounts are made of. OCR spells them wrongly ("Subtolal", "T0TAL", "Involce"), so a token
 * is read as the nearest of them before any label is matched.
 */
const VOCABULARY = (
  'total subtotal amount rounding rounded rounder change cash tender tendered discount balance payable payment paid service charge ' +
  'charges inclusive exclusive incl excl invoice receipt number date quantity items price grand net nett gross sales ' +
  'visa mastercard credit debit summary deposit saving savings description cashier betrag summe gesamt gesamtbetrag rechnung ' +
  'zwischensumme montant facture totaal importe kleingeld wisselgeld rückgeld betaald bedrag ' +
  'efectivo cambio dinheiro imposto imposta impuesto subtotaal totale'
).split(' ');

/** Words that resemble one of them, and mean something else. */
const LEFT_ALONE = 'kontant contant contante comptant contact'.split(' ');

const known = new Set([...VOCABULARY, ...LEFT_ALONE]);

/** Lower case, with the spelling of known label words repaired. */
export function repairLabel(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bsub[\s-]*t[a-z0]{1,2}[a-z1]{1,2}[l1i|]?(?![\p{L}])/gu, 'subtotal')
    .split(/([^\p{L}\p{N}]+)/u)
    .map((token) => (token.length >= 4 && token.length <= 13 ? nearest(token) : token))
    .join('');
}

function nearest(token: string): string {
  if (known.has(token) || !/\p{L}/u.test(token)) return token;
  const limit = token.length >= 8 ? 2 : 1;
  if (token.length === 4 && !/^t[o0]t/.test(token)) return token;
  let best = token;
  let distance = limit + 1;
  for (const word of VOCABULARY) {
    if (word.length < 5 || Math.abs(word.length - token.length) > limit) continue;
    const d = editDistance(token, word, distance);
    if (d < distance) {
      distance = d;
      best = word;
    }
  }
  return best;
}

/** Levenshtein distance, given up at `limit`. */
export function editDistance(a: string, b: string, limit = Infinity): number {
  const row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!;
    let least = (row[0] = i);
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + cost);
      diagonal = above;
      least = Math.min(least, row[j]!);
    }
    if (least >= limit) return limit;
  }
  return row[b.length]!;
}
