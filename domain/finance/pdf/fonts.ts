import fontkit from '@pdf-lib/fontkit';
import type { PDFDocument, PDFFont } from 'pdf-lib';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const PATHS = {
  Regular: require.resolve('open-sans-fontface/fonts/Regular/OpenSans-Regular.ttf'),
  Bold: require.resolve('open-sans-fontface/fonts/Bold/OpenSans-Bold.ttf'),
} as const;
const files = new Map<string, Promise<Uint8Array>>();

/** A font of one document: knows what it can print, and how wide that is. */
export interface Face {
  readonly font: PDFFont;
  /** The text with everything that the font has no letter for replaced: drawing never fails. */
  printable(text: string): string;
  width(text: string, size: number): number;
}

export interface Faces {
  regular: Face;
  bold: Face;
}

/** Embeds Open Sans (Latin, Greek and Cyrillic), of each weight only the letters that are used. */
export async function embedFaces(pdf: PDFDocument): Promise<Faces> {
  pdf.registerFontkit(fontkit);
  // One after the other: their places in the file must not depend on which was read first.
  const regular = await embed(pdf, 'Regular');
  return { regular, bold: await embed(pdf, 'Bold') };
}

async function embed(pdf: PDFDocument, weight: keyof typeof PATHS): Promise<Face> {
  // Ligatures are left out: a copied «fi» should be two letters.
  const font = await pdf.embedFont(await fontFile(weight), { subset: true, features: { liga: false } });
  const known = new Set(font.getCharacterSet());
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const cached = widths.get(character);
    if (cached !== undefined) return cached;
    const width = font.widthOfTextAtSize(character, 1000) / 1000;
    widths.set(character, width);
    return width;
  };
  return {
    font,
    printable: (text) => Array.from(text.normalize('NFC'), (character) => inFont(character, known)).join(''),
    // Letter by letter, as pdf-lib draws them: it doesn't kern.
    width: (text, size) => Array.from(text).reduce((sum, character) => sum + widthOf(character), 0) * size,
  };
}

const REPLACEMENT = '\uFFFD';

/** A letter that the font lacks is printed without its accents where that helps (ἀ → α, Ǆ → DŽ), else as �. */
function inFont(character: string, known: ReadonlySet<number>): string {
  if (known.has(character.codePointAt(0) ?? 0)) return character;
  if (/\p{Cf}|\p{Cc}|\p{M}/u.test(character)) return '';
  if (/\p{Zs}/u.test(character)) return ' ';
  const has = (part: string): boolean => known.has(part.codePointAt(0) ?? 0);
  const parts = Array.from(character.normalize('NFKC'), (part) => (has(part) ? part : part.normalize('NFKD')));
  return Array.from(parts.join('')).filter(has).join('') || REPLACEMENT;
}

function fontFile(weight: keyof typeof PATHS): Promise<Uint8Array> {
  const kept = files.get(weight);
  if (kept !== undefined) return kept;
  const read = readFile(PATHS[weight]);
  files.set(weight, read);
  read.catch(() => files.delete(weight));
  return read;
}
