/** What readers of OCR-B print take for each other. */
const DIGIT_FOR: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  U: '0',
  I: '1',
  L: '1',
  J: '1',
  T: '7',
  Z: '2',
  S: '5',
  B: '8',
  G: '6',
  A: '4',
};
const LETTER_FOR: Record<string, string> = {
  0: 'O',
  1: 'I',
  2: 'Z',
  4: 'A',
  5: 'S',
  6: 'G',
  7: 'T',
  8: 'B',
};
/** Both characters may stand in a field of letters and digits, so only a check digit tells them apart. */
const TWINS: Record<string, string[]> = {
  O: ['0'],
  0: ['O', 'D', 'Q'],
  D: ['0'],
  Q: ['0'],
  I: ['1'],
  1: ['I'],
  S: ['5'],
  5: ['S'],
  B: ['8'],
  8: ['B'],
  Z: ['2'],
  2: ['Z'],
  G: ['6'],
  6: ['G'],
  K: ['<'],
  L: ['<', '1'],
  C: ['<', 'G'],
  '<': ['K', 'C'],
};

/** The digit that a character stands for where only digits may stand; undefined where it resembles none. */
export const asDigit = (character: string): string | undefined =>
  /[0-9]/.test(character) ? character : DIGIT_FOR[character];

/** The character where only letters and fillers may stand. */
export const asLetter = (character: string): string => LETTER_FOR[character] ?? character;

export const asLetters = (text: string): string => Array.from(text, asLetter).join('');

export const twinsOf = (character: string): readonly string[] => TWINS[character] ?? [];

/**
 * A line of words as a reader saw it, in the alphabet of the zone: A–Z, 0–9 and `<`. Brackets and guillemets are fillers;
 * so are the small c, k and e that stand among them, as no small letter is ever printed in a zone.
 */
export function toZoneText(text: string): string {
  const small = new Set(text.match(/[a-z]/g) ?? []);
  const fillers = [...small].every((letter) => 'ckeslx'.includes(letter)) && /[<«]/.test(text);
  return (fillers ? text.replace(/[cke]/g, '<') : text)
    .replace(/[«»]/g, '<<')
    .replace(/[‹›〈〉⟨⟩《》({[∠≤€]/g, '<')
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9<]/g, '');
}
