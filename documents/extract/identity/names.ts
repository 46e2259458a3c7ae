import type { Line } from '../../layout/lines.ts';
import { jurisdictionIn } from '../contract/jurisdictions.ts';
import { isLabelText } from './labels.ts';
import { readName } from './values.ts';
import type { VisualZone } from './visual.ts';

/** How many letters a reader may have dropped from a name in the machine-readable zone. */
const MAX_DROPPED = 2;
const SHORTEST = 5;

/** Words of the page outside the zone, in the zone's letters. */
export function pageNames(lines: Line[], zoneLines: ReadonlySet<string>): Set<string> {
  const texts = lines.filter((line) => !line.words.some((word) => zoneLines.has(word.text))).map((line) => line.text);
  const folded = texts.join(' ').normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return new Set(folded.match(/[A-Z]{2,}/g) ?? []);
}

/**
 * A name of the zone beside the page's own print of it. Readers drop letters from the zone and hardly invent any, and the
 * zone writes a letter in full where the page has an accent (Æ is AE): so a longer word of the page that holds all of the
 * zone's letters in their order is right. Fillers read as letters at a name's end or between two names are told by the
 * page as well. Any other difference is left.
 */
export function completeName(name: string, page: ReadonlySet<string>): { name: string; seen: boolean } {
  let seen = true;
  const tokens = name.split(' ').map((token) => {
    if (page.has(token)) return token;
    const better =
      withoutFillers(token, page) ??
      onlyOne([...page].filter((word) => isTwin(token, word))) ??
      onlyOne([...page].filter((word) => isDropped(token, word)));
    if (better === undefined) seen = false;
    return better ?? token;
  });
  return { name: tokens.join(' '), seen };
}

const onlyOne = (words: string[]): string | undefined => (words.length === 1 ? words[0] : undefined);

/** "VZORK" is VZOR and a filler, "ANNAXMARIAK" is ANNA, a filler, MARIA and a filler, where the page has those words. */
function withoutFillers(token: string, page: ReadonlySet<string>): string | undefined {
  const known = (text: string): string | undefined => {
    const bare = [text, text.slice(0, -1), text.slice(0, -2)].find(
      (part, cut) => part.length >= 3 && page.has(part) && /^[KXCLSE]*$/.test(text.slice(text.length - cut)),
    );
    return bare;
  };
  const whole = known(token);
  if (whole !== undefined) return whole;
  for (let at = 3; at < token.length - 3; at++) {
    const gap = /^[KXCLS]{1,2}/.exec(token.slice(at))?.[0].length ?? 0;
    if (gap === 0 || !page.has(token.slice(0, at))) continue;
    const rest = known(token.slice(at + gap)) ?? known(token.slice(at + 1));
    if (rest !== undefined) return `${token.slice(0, at)} ${rest}`;
  }
  return undefined;
}

const TWINS = ['IL', 'OQ', 'OD', 'OC', 'VY', 'UV'];

/** Of the same length, and different only where two letters look alike. */
const isTwin = (token: string, word: string): boolean =>
  token.length >= SHORTEST &&
  token.length === word.length &&
  Array.from(token).every((letter, index) => {
    const other = word[index]!;
    return letter === other || TWINS.some((pair) => pair.includes(letter) && pair.includes(other));
  });

const isDropped = (token: string, word: string): boolean =>
  token.length >= SHORTEST &&
  word.length > token.length &&
  word.length <= token.length + MAX_DROPPED &&
  word[0] === token[0] &&
  isSubsequence(token, word);

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const character of long) if (character === short[at]) at++;
  return at === short.length;
}

const HEADING =
  /licen[cs]e|driver|passport|identity|identi|card|state|republic|department|commercial|veteran|donor|class|none|united|kingdom|federal|limits|government|sample|specimen/i;

/** "CHRIS SMITH" or "SMITH, CHRIS" without a label, as older licences print it: two or three words in capitals. */
export function unlabelledName(lines: Line[]): Partial<VisualZone> {
  for (const line of lines) {
    for (const { text, words } of line.segments) {
      const found = readName(text);
      const parts = found?.value.split(/[\s,]+/) ?? [];
      if (!found || parts.length < 2 || parts.length > 4 || HEADING.test(text) || isLabelText(text)) continue;
      if (!parts.every((part) => /^\p{Lu}[\p{Lu}'.-]*$/u.test(part)) || isPlace(text)) continue;
      const comma = text.includes(',');
      const surname = comma ? text.split(',')[0]!.trim() : parts.at(-1)!;
      const given = comma ? text.split(',').slice(1).join(' ').trim() : parts.slice(0, -1).join(' ');
      const place = { words, page: line.page, certainty: 0.6 };
      return { surname: { value: surname, ...place }, given_names: { value: given, ...place } };
    }
  }
  return {};
}

/** "WEST VIRGINIA" heads the card of a state. */
function isPlace(text: string): boolean {
  const titled = text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return (jurisdictionIn(titled)?.length ?? 0) >= text.trim().length * 0.6;
}
