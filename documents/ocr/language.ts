import type { Word } from '../types.ts';

/** The commonest short words of business documents; names and numbers say nothing about the language. */
const MARKERS: Record<string, string[]> = {
  en: 'the of and to for in is on by from date total amount invoice number payment please thank you with are'.split(
    ' ',
  ),
  de: 'der die das und für von mit zum den des ist auf rechnung datum betrag summe nr zahlbar bitte netto brutto mwst'.split(
    ' ',
  ),
  fr: 'le la les de du des et pour à en date facture montant total tva ht ttc client numéro est par sur'.split(' '),
  es: 'el los las de del y para por en fecha factura importe total iva número cliente con es una'.split(' '),
  it: 'il lo gli di del della e per in data fattura importo totale iva numero cliente con una'.split(' '),
  nl: 'de het een en van voor op met datum factuur bedrag totaal btw nummer klant bij is te'.split(' '),
  pt: 'o os as de do da e para por em data fatura valor total iva número cliente com uma não'.split(' '),
};

/** The language whose short words occur most; English where the page gives no evidence. */
export function detectLanguage(words: Word[]): string {
  const counts = new Map<string, number>();
  for (const word of words) {
    const text = word.text.toLowerCase().replace(/[^\p{L}]/gu, '');
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  let best = 'en';
  let top = 0;
  for (const [language, markers] of Object.entries(MARKERS)) {
    const score = markers.reduce((sum, marker) => sum + Math.min(3, counts.get(marker) ?? 0), 0);
    if (score > top) {
      top = score;
      best = language;
    }
  }
  return best;
}
