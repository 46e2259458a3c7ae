/**
 * Check digits of machine-readable zones: ICAO Doc 9303 part 3, section 4.9. Digits count as themselves, A to Z as 10 to 35,
 * the filler `<` as 0; weights 7, 3, 1 repeat; the check digit is the sum modulo 10.
 */
const WEIGHTS = [7, 3, 1];

export const FILLER = '<';

/** The check digit of a string of A–Z, 0–9 and `<`; a character outside the alphabet counts as 0. */
export function checkDigit(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += valueOf(text[index]!) * WEIGHTS[index % 3]!;
  return String(sum % 10);
}

function valueOf(character: string): number {
  if (/[0-9]/.test(character)) return Number(character);
  if (/[A-Z]/.test(character)) return character.charCodeAt(0) - 55;
  return 0;
}

/** A field of fillers alone may carry `<` in the place of its check digit 0. */
export const checkFits = (text: string, check: string): boolean =>
  checkDigit(text) === check || (check === FILLER && /^<*$/.test(text));
