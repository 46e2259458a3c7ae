import type { Face } from './fonts.ts';

/** A text as printed lines no wider than `width`: its own line breaks are kept, and a word that is too long is cut. */
export function wrap(text: string, face: Face, size: number, width: number): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((paragraph) => wrapParagraph(paragraph, face, size, width));
}

function wrapParagraph(paragraph: string, face: Face, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of face.printable(paragraph.replaceAll('\t', ' ').trimEnd()).split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (face.width(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = cut(word, face, size, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** A word in pieces that fit. */
function cut(word: string, face: Face, size: number, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const character of word) {
    const more = face.width(character, size);
    if (piece !== '' && taken + more > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += character;
    taken += more;
  }
  return [...pieces, piece];
}

/** One line, shortened with … where it is too wide. */
export function fit(text: string, face: Face, size: number, width: number): string {
  const printable = face.printable(text);
  if (face.width(printable, size) <= width) return printable;
  const characters = Array.from(printable);
  while (characters.length > 0 && face.width(`${characters.join('')}…`, size) > width) characters.pop();
  return `${characters.join('')}…`;
}
