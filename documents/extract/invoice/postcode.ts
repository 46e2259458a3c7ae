import { POSTCODE } from '../address-words.ts';

/**
 * Postal codes that the shared pattern leaves out because they look like other numbers on a till slip; in a line of an
 * address they are told by what stands around them: a town behind four digits, a state before them, a mark inside them.
 */
const IN_ADDRESS: RegExp[] = [
  /^(?:[A-Z]{1,2}[- ])?\d{4},? \p{Lu}[\p{L}.'-]+/u, // AT, CH, BE, DK, NO, LU, HU
  /\b(?:NSW|VIC|QLD|TAS|ACT|NT|WA|SA)\s+\d{4}\b/, // AU
  /^\d{4}$/, // ZA, on a line of its own
  /\p{L}{3},? \d{4}$/u, // ZA, AU, NZ: behind the town
  /\p{L}{4,}\)?(?: ?[,–-] ?| )[1-9]\d{2} ?\d{3}$/u, // IN, SG
  /\b\d{2}-\d{3} \p{Lu}/u, // PL
  /\b\d{4}-\d{3} \p{Lu}/u, // PT
  /^(?:[A-Z]{1,2}[- ])?\d{3} \d{2} \p{Lu}/u, // SE, CZ, SK, GR
  /\b\d{5}-\d{3}\b/, // BR
  /\b[AC-FHKNPRTV-Y]\d[\dW] [\dAC-FHKNPRTV-Y]{4}$/, // IE
];

const OTHER_NUMBER =
  /[:#]|\b(?:no|number|nr|account|acct|ref|id|serial|tel|phone|fax|invoice|order|customer|meter|reg|code|vat|tax|page|call|date|since|est)(?!\p{L})/iu;

/** The line has a postal code. */
export const hasPostcode = (text: string): boolean =>
  POSTCODE.test(text) || (!OTHER_NUMBER.test(text) && IN_ADDRESS.some((pattern) => pattern.test(text.trim())));
