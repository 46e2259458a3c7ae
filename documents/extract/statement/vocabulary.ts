/** Labels of the balances of an account, in the languages that the engine reads. Text is compared without accents. */

const OPENING = [
  String.raw`(?:opening|beginning|starting|start|p?revious|prior|initial|last)\s*(?:statement\s*)?bal(?:ance)?\b`,
  String.raw`bal(?:ance)?\.?\s*(?:brought|b\/?)\s*(?:forward|fwd|down|f|d)\b|brought forward|balance forward|bal\s?b\/?f|\bb\/f\b`,
  String.raw`balance (?:at|from) (?:the )?(?:start|beginning|last statement|previous statement)`,
  String.raw`(?:alter|anfangs|eroffnungs|vorheriger)\s?(?:konto)?(?:saldo|stand)|saldo\s?vortrag|anfangsbestand|letzter kontostand|alter kontostand`,
  String.raw`(?:ancien|precedent) solde|solde (?:initial|precedent|anterieur|ancien|d'ouverture|debut|reporte)|report (?:a nouveau|solde)`,
  String.raw`saldo (?:anterior|inicial|apertura|previo)|saldo (?:iniziale|precedente|di apertura)|(?:begin|openings|vorig|oud)\s?saldo|saldo (?:vorig|begin)`,
  String.raw`openings\s?(?:saldo|balans)|saldo oorgedra|begin\s?saldo|saldo poczatkowe|ingaende saldo|inngaende saldo|baki (?:awal|bawa ke hadapan)`,
];
const CLOSING = [
  String.raw`(?:closing|ending|end|final|new|current)\s*(?:statement\s*)?bal(?:ance)?\b`,
  String.raw`bal(?:ance)?\.?\s*(?:carried|c\/?)\s*(?:forward|fwd|down|f|d)\b|carried forward|bal\s?c\/?f|\bc\/f\b`,
  String.raw`(?:statement|account) balance\b|balance (?:at|on) (?:the )?(?:end|close|closing)|balance (?:due|owing|outstanding|payable)|(?:total|amount) (?:due|outstanding|payable|owing)|total outstanding|please pay`,
  String.raw`(?:neuer|end|schluss|abschluss)\s?(?:konto)?(?:saldo|stand)|endbestand|neuer kontostand|kontostand (?:am|per|zum)|offener? (?:gesamt)?betrag|gesamtsaldo|saldo zu ihren`,
  String.raw`nouveau solde|solde (?:final|nouveau|de cloture|fin|crediteur|debiteur|actuel)|solde (?:au|a payer|du)\b|net a payer`,
  String.raw`saldo (?:final|actual|de cierre|nuevo|pendiente)|nuevo saldo|saldo (?:finale|di chiusura|attuale|contabile finale)|(?:eind|nieuw|slot|sluitings?)\s?saldo|saldo (?:nieuw|eind)|openstaand saldo|totaal openstaand`,
  String.raw`sluitings\s?balans|eind\s?saldo|uitstaande (?:bedrag|saldo)|saldo koncowe|utgaende saldo|baki akhir`,
];
const GENERAL = [String.raw`balance\b|saldo\b|solde\b|kontostand\b`];

const anywhere = (parts: string[]): RegExp => new RegExp(String.raw`(?<![\p{L}])(?:${parts.join('|')})`, 'iu');

export const OPENING_LABEL = anywhere(OPENING);
export const CLOSING_LABEL = anywhere(CLOSING);

/** A row that states a balance and moves nothing. */
export const BALANCE_LINE = new RegExp(
  String.raw`^[^\p{L}]*(?:your\s*)?(?:${[...OPENING, ...CLOSING].join('|')}|(?:${GENERAL.join('|')})\s*(?:as of|as at|at|on|am|per|au|al|op|em)?\W*\d)`,
  'iu',
);
/** Sums of a column or section. */
export const SUM_LINE =
  /^\W*(?:(?:sub|grand\s*)?total[es]?\b|totals\b|summe|gesamt|somme|suma\b|totale\b|totaal|soma\b|total)/i;

export const CREDITS_LABEL =
  /(?<!\p{L})(?:total\s*(?:of\s*)?(?:deposits?|credits?|paid in|money in|additions|payments in)|(?:deposits?|credits?)(?:,? (?:and|&) (?:other )?(?:credits|additions|interest|deposits))*(?: and interest)?|money in|paid in|total in|gutschriften|summe haben|zahlungseing[aä]nge|total (?:des )?(?:cr[ée]dits?|abonos|accrediti)|totale (?:entrate|avere|accrediti)|total haber|totaal bij(?:geschreven)?|total de cr[ée]ditos|totale krediete)\b/iu;
export const DEBITS_LABEL =
  /(?<!\p{L})(?:total\s*(?:of\s*)?(?:withdrawals?|debits?|paid out|money out|payments out|checks? and debits)|withdrawals?|debits?|money out|paid out|total out|belastungen|summe soll|zahlungsausg[aä]nge|total (?:des )?(?:d[ée]bits?|cargos|addebiti)|totale (?:uscite|dare|addebiti)|total debe|totaal af(?:geschreven)?|total de d[ée]bitos|totale debiete)\b/iu;
