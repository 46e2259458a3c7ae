/**
 * Text as it is compared: without case and accents, and with the letters that readers of pictures take for each other
 * made one (l, I, 1, | and 0, O), so that `lNV0ICE` is found by the pattern of `invoice`. Digits within numbers stay.
 */
export function fold(text: string): string {
  const plain = clipped(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'");
  return plain.replace(/\S*[a-z]\S*/g, foldToken).replaceAll('l', 'i');
}

/** A hostile file may hold a line of a million letters; no line that says what a document is has so many. */
export const clipped = (text: string): string => text.slice(0, LONGEST_LINE);
const LONGEST_LINE = 500;

function foldToken(token: string): string {
  const letters = token.replace(/[^a-z]/g, '').length;
  const digits = token.replace(/[^0-9]/g, '').length;
  if (digits > 2 || letters <= digits) return token;
  return token.replace(/[1|]/g, 'i').replaceAll('0', 'o');
}

/**
 * A pattern over folded text, written in plain lower-case letters. A space stands for any run of spaces or none: readers
 * drop the gaps of capitals (`TAXINVOICE`).
 */
export function foldedPattern(source: string, flags = ''): RegExp {
  const folded = source.replaceAll('l', 'i');
  return new RegExp(
    folded.replace(CLASS_OR_SPACE, (part) => (part === ' ' ? ANY_GAP : part)),
    flags,
  );
}

/** A space inside a character class is meant as itself. */
const CLASS_OR_SPACE = /\[[^\]]*\]| /g;
const ANY_GAP = String.raw`[^\S\n]*`;
