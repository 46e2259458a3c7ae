import { readFileSync } from 'node:fs';

/** Index 0 of the network's output is CTC's blank; a space follows the dictionary. */
export function readAlphabet(path: string): string[] {
  const characters = readFileSync(path, 'utf8')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  return ['', ...characters, ' '].map(toHalfWidth);
}

/** Full-width forms are the same characters to a reader of Latin text; the currency signs keep their meaning. */
function toHalfWidth(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCodePoint(code - 0xfee0);
  const same: Record<string, string> = { '￠': '¢', '￥': '¥', '￡': '£', '。': '.', '、': ',', '−': '-', '∶': ':' };
  return same[character] ?? character;
}

export const isIdeograph = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x2e80 && code < 0xfb00;
};

/** 1 where the class is printable Latin text: letters with or without accents, digits, ASCII punctuation, currency. */
export function latinClasses(alphabet: string[]): Uint8Array {
  return Uint8Array.from(alphabet, (character) =>
    /^$|^[\x20-\x7e\u00a2-\u00a5\u00b0\u00c0-\u024f’‘“”•·—…]$/u.test(character) ? 1 : 0,
  );
}
