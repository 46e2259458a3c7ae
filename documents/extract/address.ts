import type { Line } from '../layout/lines.ts';
import { fold } from './labels.ts';
import { editDistance } from './vocabulary.ts';
import { placeWords, POSTCODE, repairableWords, streetWords } from './address-words.ts';

const CONTACT =
  /\b(?:te[l1i]\b|te[l1i][ .:+]|telephone|t[e3]lefon|phone|fax|hp\b|h\/p|mobile|whatsapp|e-?mai[l1]|www\.|http|@)/i;
const REGISTRATION =
  /\b(?:[gc6]st\b|sst\b|vat\b|tax id|company (?:reg|no)|co\.? ?(?:reg|no)|reg\.? ?no|roc\b|brn\b|business reg|ust-?id|siret|btw|kvk|abn\b|ein\b)/i;
const DOCUMENT_WORD =
  /\b(?:invo[il1]ce|receipt|bi[l1]{2}\b|cash(?:ier)?\b|date\b|time\b|tab[l1]e\b|order\b|counter|salesperson|customer|member|qty\b|item\b|description|amount|price|welcome|thank|pos\b|doc no|check\b|guest|closed|operator|shift|trans)/i;
const HOUSE_NUMBER = /^\W*(?:n[o0][.,:; ]|lot\b|unit\b|no\d|[a-z]?-?\d+[a-z]?(?:[-/&]\d+[a-z]?)*[\s,.-]+\p{L}{2})/iu;

/** "Redmond, WA" with or without the ZIP code behind it. */
const US_STATE =
  /\p{L}{3}, ?(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])(?![\p{L}])/u;

/** German, Dutch and Scandinavian streets are one word: Lindenstraße, Oudegracht, Kerkstraat. */
const STREET_ENDING =
  /^\p{L}{3,}(?:stra(?:ß|ss)e|str|weg|platz|allee|gasse|ufer|straat|laan|gracht|plein|kade|singel|vej|gade|gatan|vägen)$/u;

/** Abbreviations before a street's name, in Spanish, Portuguese and Polish. */
const STREET_PREFIX = /^\W*(?:c\/|av(?:da?)?\.|pl(?:za)?\.|pza\.|ul\.|al\.|os\.|p[ºo°]\.?)\s?(?=\p{Lu}|d[aeo]s?\s)/iu;
/** "Parow 7500", "116 21 Stockholm": the line of the town under the street. */
const TOWN_LINE =
  /^\p{Lu}\p{L}{2,}(?:[\s-]\p{Lu}\p{L}+){0,3}(?:\s\p{Lu}{2,3})?,?\s(?:\d{4}|\d{6})$|^(?:\d{3}\s\d{2}|\d{2}-\d{3}|\d{4}-\d{3})\s\p{Lu}\p{L}{2,}/u;

const WRITTEN_DATE = /\b\d{1,2}[ .-]\p{L}{3,9}[ .,-]+20\d\d\b|\b[0-2]?\d:[0-5]\d\b/u;

/** The line is about something else than where the issuer is. */
export const endsAddress = (text: string): boolean =>
  // Without accents: "Telč" is a town, and no telephone.
  [CONTACT, REGISTRATION, DOCUMENT_WORD].some((pattern) => pattern.test(fold(text))) ||
  WRITTEN_DATE.test(text) ||
  /\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b.*\d:\d|\d[.,]\d{2}\s*[A-Z\d$]{0,3}$/.test(text);

/** How much a line looks like a part of a postal address; 1 and more is good evidence. */
export function addressScore(text: string): number {
  const tokens = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  let score = 0;
  for (const token of tokens) {
    if (streetWords.has(token) || STREET_ENDING.test(token)) score += 1;
    else if (placeWords.has(token)) score += 0.8;
    else if (token.length >= 5 && repairableWords.some((word) => isMisread(token, word))) {
      score += 0.7;
    }
  }
  if (POSTCODE.test(text)) score += 1;
  else if (US_STATE.test(text)) score += 0.6;
  if (HOUSE_NUMBER.test(text) && tokens.length > 0) score += 0.8;
  if (STREET_PREFIX.test(text)) score += 1;
  if (/,/.test(text)) score += 0.3;
  return score;
}

/** One letter wrong ("jaian"), or glued to the next word ("jalanpudu"). */
const isMisread = (token: string, word: string): boolean =>
  (token[0] === word[0] && Math.abs(word.length - token.length) <= 1 && editDistance(token, word, 2) <= 1) ||
  (token.length >= word.length + 3 && token.startsWith(word));

/** Cuts what follows the address on its last line: a phone number, a registration. */
export function trimAddress(text: string): string {
  const cut = text.search(
    /\b(?:te[l1i](?:ephone)?\s*[.:+(]|te[l1i]\s*\d|fax\s*[.:]|phone\s*[.:]|gst\b|www\.|e-?mail)/i,
  );
  return (cut > 0 ? text.slice(0, cut) : text).replace(/[\s,:;–-]+$/, '').replace(/^[\s,:;.*-]+/, '');
}

const MAX_LINES = 6;
/** Brand lines, registration numbers and the like between the name and its address. */
const MAX_SKIPPED = 8;

/** The lines of the address that follows a position: the first line that looks like one, and what continues it. */
export function addressLines(lines: Line[], from: number, until: number): Line[] {
  const limit = Math.min(until, from + MAX_SKIPPED);
  let start = from;
  while (start < limit && !startsAddress(lines[start]!, lines[start + 1])) start++;
  if (start >= limit) return loneAddressLine(lines, from, limit);
  const found = [lines[start]!];
  for (let i = start + 1; i < until && found.length < MAX_LINES; i++) {
    if (!continuesAddress(lines[i]!, lines[i + 1], found)) break;
    found.push(lines[i]!);
  }
  return found;
}

/** "USJ Summit, Subang": a place and no street, on a page that has nothing better. */
function loneAddressLine(lines: Line[], from: number, limit: number): Line[] {
  const line = lines
    .slice(from, limit)
    .find(({ text }) => !endsAddress(text) && addressScore(text) >= 0.9 && /[\d,]/.test(text));
  return line ? [line] : [];
}

function startsAddress(line: Line, next: Line | undefined): boolean {
  if (endsAddress(line.text)) return isAddressBeforeContact(line.text);
  const score = addressScore(line.text);
  if (score >= 1.3) return true;
  return (
    score >= 0.8 &&
    next !== undefined &&
    !endsAddress(next.text) &&
    (addressScore(next.text) >= 0.8 || TOWN_LINE.test(next.text))
  );
}

/** "12 Main Street, Leeds LS1 4AB Tel: 0113…": the address stands before the label. */
const isAddressBeforeContact = (text: string): boolean => {
  const head = trimAddress(text);
  return head.length < text.length - 4 && !endsAddress(head) && addressScore(head) >= 1.8;
};

function continuesAddress(line: Line, next: Line | undefined, found: Line[]): boolean {
  const text = line.text;
  if (endsAddress(text)) return isAddressBeforeContact(text);
  if (!/\p{L}{2}/u.test(text)) return POSTCODE.test(text);
  if (addressScore(text) >= 0.7 || TOWN_LINE.test(text)) return true;
  const complete = found.some((part) => POSTCODE.test(part.text));
  const open = /,\s*$/.test(found.at(-1)!.text);
  if (open && !complete) return true;
  return !complete && next !== undefined && !endsAddress(next.text) && addressScore(next.text) >= 1;
}
