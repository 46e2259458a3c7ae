import { type DocumentType, documentTypes, type PageText } from '../types.ts';
import { Author } from './author.ts';
import { commercialRecipes } from './recipes/commercial.ts';
import { accountRecipes } from './recipes/accounts.ts';
import { personalRecipes } from './recipes/personal.ts';
import { af } from './lexicon/af.ts';
import { de } from './lexicon/de.ts';
import { en } from './lexicon/en.ts';
import { es } from './lexicon/es.ts';
import { fr } from './lexicon/fr.ts';
import { it } from './lexicon/it.ts';
import { ms } from './lexicon/ms.ts';
import { nl } from './lexicon/nl.ts';
import { pt } from './lexicon/pt.ts';
import { Random } from './random.ts';
import { Sheet, type SheetStyle } from './sheet.ts';

const LEXICONS = { en, de, fr, es, it, nl, pt, af, ms };
export const generatedLanguages = Object.keys(LEXICONS) as (keyof typeof LEXICONS)[];

export interface GeneratedDocument {
  type: DocumentType;
  language: string;
  pages: PageText[];
}

const RECIPES: Record<DocumentType, (author: Author) => void> = {
  ...commercialRecipes,
  ...accountRecipes,
  ...personalRecipes,
};
const CARDS = new Set<DocumentType>(['passport', 'id_document', 'drivers_license']);

/** Invented documents, `perType` of each type, in all languages; the same seed gives the same documents. */
export function generateDocuments(perType: number, seed: number): GeneratedDocument[] {
  const random = new Random(seed);
  return documentTypes.flatMap((type) =>
    Array.from({ length: perType }, (_, index) => {
      // English is as frequent as all others together, as in the mail of the countries we know customers in.
      const language = index % 2 === 0 ? 'en' : generatedLanguages[1 + (((index - 1) / 2) % 8)]!;
      return generateDocument(random, type, language);
    }),
  );
}

export function generateDocument(
  random: Random,
  type: DocumentType,
  language: keyof typeof LEXICONS,
  style: Partial<SheetStyle> = {},
): GeneratedDocument {
  const terms = LEXICONS[language];
  const numbered = !CARDS.has(type) && type !== 'receipt' && random.chance(0.45);
  const sheet = new Sheet(random, {
    ...paper(random, type),
    language,
    ...(numbered ? { footer: random.pick(terms.page_of.split('|')) } : {}),
    ...(random.chance(0.4) ? { runningHead: `Acorn ${String(random.integer(100, 999))}` } : {}),
    ...style,
  });
  RECIPES[type](new Author(random, sheet, terms));
  return { type, language, pages: sheet.finish() };
}

type Paper = Pick<SheetStyle, 'width' | 'height' | 'size' | 'source' | 'noise'>;

function paper(random: Random, type: DocumentType): Paper {
  const noise = random.pick([0, 0.02, 0.05, 0.1]);
  if (type === 'receipt' && random.chance(0.7)) {
    const width = random.integer(450, 1000);
    const height = Math.round(width * random.between(1.4, 3.2));
    return { width, height, size: width * random.between(0.022, 0.042), source: 'ocr', noise };
  }
  if (CARDS.has(type) && random.chance(0.8)) {
    const width = random.integer(700, 1700);
    const height = Math.round(width * random.between(0.6, 0.8));
    return { width, height, size: width * random.between(0.018, 0.035), source: 'ocr', noise };
  }
  const scanned = CARDS.has(type) || random.chance(0.45);
  const [width, height] = random.pick([
    [1654, 2339],
    [1700, 2200],
  ] as const);
  return {
    width,
    height,
    size: random.between(20, 34),
    source: scanned ? 'ocr' : 'text_layer',
    noise: scanned ? noise : 0,
  };
}

const SCRAPS = Array.from('bdfghjkmnpqrvwxz%#~.,-0359');

/** Pages that nobody could name: blank, or a few scraps of letters. The classifier is taught to be unsure of them. */
export function generateUnreadable(count: number, seed: number): PageText[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const type = random.pick(documentTypes);
    const sheet = new Sheet(random, {
      ...paper(random, type),
      source: random.pick(['ocr', 'ocr', 'text_layer']),
      language: 'en',
    });
    for (let line = random.pick([0, 0, 1, 2, 4, 8]); line > 0; line--) {
      const scraps = Array.from({ length: random.integer(1, 4) }, () =>
        Array.from({ length: random.integer(1, 6) }, () => random.pick(SCRAPS)).join(''),
      );
      sheet.row([[random.between(0.05, 0.6), scraps.join(' ')]]);
    }
    return sheet.finish()[0]!;
  });
}
