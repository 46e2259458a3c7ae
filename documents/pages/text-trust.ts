import type { Word } from '../types.ts';

const CID = /\(cid:\d+\)/;
/** Amounts, dates, numbers with their signs and units. */
const NUMERIC = /^[\p{Sc}\p{Sm}#(*'"]*[\d][\d.,:/\-–'’()%*°x×+]*(?:\p{Sc}|\p{L}{1,3}[²³]?)?[.,;:)*'"%]*$/u;
/** Codes of capitals and figures, e-mail and web addresses, file names. */
const CODE = /^\p{L}{1,4}\d+$|^[A-Z0-9][A-Z0-9./:#_+-]*$|@|:\/\/|^www\.|^[\w-]+(?:\.[\w-]+)+$/u;
const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿāăąēėęěīįıōőūůűų]/iu;
const LATIN_WORD = /^\p{Script=Latin}+$/u;
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
];

/** The eleven letters that make up two thirds and more of any text in a language of Europe, accents aside. */
const COMMON = /[eaitnrsoldu]/g;
/** With fewer letters the share of the common ones says little. */
const MIN_LETTERS = 60;
const MIN_DIFFERENT_LETTERS = 10;
/** Fewer different words are too few to be judged by how they look. */
const MIN_JUDGED_WORDS = 12;

/**
 * How far words look like words of any language, 0 to 1. In a font whose mapping is wrong they don't: tokens mix capitals,
 * figures and signs, or, with the letters shifted by a constant (`Wrwdo` for `Total`), rare letters become common.
 * Real pages reach 0.8 and more.
 */
export function wordLikeness(words: Word[]): number {
  const judged = [...new Set(words.map(({ text }) => text))].filter((text) => text.length > 2);
  if (judged.length < MIN_JUDGED_WORDS) return 1;
  const wordLike = judged.filter(isWordLike).length / judged.length;
  const spelled = judged.filter((text) => !/\d/.test(text));
  return Math.min(wordLike, letterLikeness(spelled.join('')));
}

/** 1 where at least half of the Latin letters are common ones; a shifted alphabet has a third of them, or fewer. */
function letterLikeness(text: string): number {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (letters.length < MIN_LETTERS || new Set(letters).size < MIN_DIFFERENT_LETTERS) return 1;
  const share = (letters.match(COMMON)?.length ?? 0) / letters.length;
  return Math.min(1, Math.max(0, (share - 0.4) * 10));
}

function isWordLike(token: string): boolean {
  if (CID.test(token)) return false;
  if (NUMERIC.test(token) || CODE.test(token)) return true;
  // Punctuation at its ends and between its parts is a sentence's or a compound's.
  const parts = token.split(/[\p{P}\p{S}\d]+/u).filter((part) => part !== '');
  if (parts.length === 0) return /^[\p{P}\p{S}\d]+$/u.test(token);
  const signs = token.replace(/[\p{L}\p{M}\p{N}]/gu, '').length;
  return signs * 2 <= token.length && parts.every(isPart);
}

function isPart(part: string): boolean {
  if (SCRIPTS.filter((script) => script.test(part)).length > 1) return false;
  if (!LATIN_WORD.test(part) || part.length < 4) return true;
  // A capital inside of a word comes once (McDonald, PayPal), or the word is all capitals.
  const inner = part.slice(1).match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return VOWEL.test(part) && inner < 2 && !/[^aeiouyäöüéèêàâîôû]{7}/iu.test(part);
}
