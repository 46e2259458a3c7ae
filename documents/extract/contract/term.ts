import type { ExtractionField } from '../../types.ts';
import { fieldOf } from '../field.ts';
import type { Prose } from '../prose.ts';

const NUMBERS: Record<string, number> = Object.fromEntries(
  (
    'one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 fifteen:15 eighteen:18 twenty:20 ' +
    'twenty-four:24 thirty:30 thirty-six:36 forty-eight:48 sixty:60 ninety:90 first:1 second:2 third:3 fourth:4 fifth:5 sixth:6 seventh:7 tenth:10 ' +
    'ein:1 einem:1 eines:1 eine:1 einer:1 zwei:2 drei:3 vier:4 fünf:5 sechs:6 zehn:10 zwölf:12 un:1 une:1 deux:2 trois:3 quatre:4 cinq:5 dix:10 douze:12 ' +
    'uno:1 una:1 dos:2 tres:3 cuatro:4 cinco:5 diez:10 doce:12 een:1 één:1 twee:2 drie:3 vijf:5 tien:10 twaalf:12'
  )
    .split(' ')
    .map((pair) => [pair.split(':')[0]!, Number(pair.split(':')[1])]),
);
const UNITS: [RegExp, string][] = [
  [/^(?:year|jahr|an|année|año|jaar|jaren)/i, 'year'],
  [/^(?:month|monat|mois|mes|maand)/i, 'month'],
  [/^(?:week|woche|semaine|semana)/i, 'week'],
  [/^(?:day|tag|jour|día|dag)/i, 'day'],
];
const words = Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join('|');
const DURATION = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?<word>${words})\s*(?:\(\s?(?<digits>\d{1,3})\s?(?:st|nd|rd|th)?\s?\))?|(?<number>\d{1,3})\s*(?:\(\s?\p{L}+(?:[- ]\p{L}+)?\s?\))?)[\s-]*(?:full\s|calendar\s|consecutive\s)?(?<unit>years?|months?|weeks?|days?|jahren?|jahre?s?|monaten?|monats?|ans?|années?|mois|años?|mes(?:es)?|jaar|jaren|maand(?:en)?|anniversary)(?!\p{L})`,
  'giu',
);

/** What the sentence before and behind a duration says about it. */
const FOR: [RegExp, number][] = [
  [/\bterm\.?\s*(?:of\s*(?:this\s*)?(?:agreement|contract|lease))?[^.;]{0,60}$/i, 1.6],
  [
    /\b(?:agreement|contract|lease|engagement|appointment|obligations?|duty|provisions)\b[^;]{0,170}?\b(?:terminate|expire|continue|remain|in\s*(?:full\s*)?(?:force|effect)|effective|end)s?\b/i,
    2,
  ],
  [/\b(?:terminate|expire|continue|remain|in\s*(?:force|effect)|effective|survive)s?\b[^.;]{0,90}$/i, 1],
  [/\b(?:period|term)\s*of\W*$/i, 0.5],
  [/laufzeit|vertragsdauer|auf die dauer|gilt für|befristet|\bdauer von/i, 2],
  [/\bdurée\b|conclu\w* pour|période de/i, 2],
  [/\bduración\b|vigencia|plazo de|período de/i, 2],
  [/\blooptijd\b|\bduur van|aangegaan voor|periode van/i, 2],
];
const AGAINST: [RegExp, number][] = [
  [
    /\b(?:solicit|hire|employ(?!ee)|standstill|acquire|compete|notice|kündigungsfrist|préavis|preaviso|opzegtermijn|probe|renew|extend|extension|invoice|payable|payment|interest)\w*\b[^.;]{0,140}$/i,
    2.2,
  ],
  [/\bwithin\W*(?:a\s*period\s*of\s*)?$/i, 2.5],
  [/\b(?:least|prior|upon|last|following)\W*$/i, 1],
  [/\b(?:you|neither|not|n[o']t)\s(?:\w+\s){0,3}(?:will|shall|agree)|\bwill\s*not\b|\bshall\s*not\b/i, 1.5],
];
const STARTED_BY =
  /^\W*(?:from|after|following|of|beginning|commencing|ab|à compter|desde|vanaf)?\s*(?:the\s*)?(?:effective\s*)?(?:date|execution|signing|agreement)/i;
const TOO_SHORT: Record<string, number> = { day: 5, week: 2, month: 1, year: 1 };

/** How long the contract, or the duty that it sets up, lasts: "2 years". Notice periods and bans to solicit don't count. */
export function contractTerm(prose: Prose): ExtractionField | undefined {
  const found = [...prose.text.matchAll(DURATION)]
    .map((match) => ({ match, value: valueOf(match), score: scoreOf(match, prose.text) }))
    .filter(({ value }) => value !== undefined)
    .sort((a, b) => b.score - a.score);
  const best = found[0];
  if (!best || best.score < 2) return undefined;
  const rival = found.find((other) => other.value !== best.value);
  const lead = Math.min(1, best.score - (rival?.score ?? 0));
  const { words: covered, page } = prose.wordsAt(best.match.index, best.match[0].length);
  return fieldOf(best.value, covered, page, Math.min(0.92, 0.45 + 0.1 * best.score) * (0.85 + 0.15 * lead));
}

function valueOf({ groups = {} }: RegExpExecArray | RegExpMatchArray): string | undefined {
  const text = groups['digits'] ?? groups['number'];
  const count = text === undefined ? NUMBERS[(groups['word'] ?? '').toLowerCase()] : Number(text);
  const name = groups['unit'] ?? '';
  const unit = /^anniversary/i.test(name) ? 'year' : UNITS.find(([pattern]) => pattern.test(name))?.[1];
  if (count === undefined || unit === undefined || count < (TOO_SHORT[unit] ?? 1) || count > 120) return undefined;
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

function scoreOf(match: RegExpMatchArray, text: string): number {
  const at = match.index ?? 0;
  const before = text.slice(Math.max(0, at - 400), at);
  // The sentence only: what stands before it is about something else.
  const sentence = before.slice(
    Math.max(0, ...[...before.matchAll(/(?<!\b(?:No|Inc|Ltd|Co|St|Mr))\.\s+(?=\p{Lu})/gu)].map((m) => m.index + 1)),
  );
  const heading =
    /\b(?:term|duration|laufzeit|dauer|durée|duración|looptijd|duur)\b\W{0,4}(?:and\s*termination)?\W*$/i.test(
      before.slice(0, before.length - sentence.length),
    )
      ? 1.2
      : 0;
  const after = text.slice(at + match[0].length, at + match[0].length + 60);
  const sum = (rules: [RegExp, number][]): number =>
    rules.reduce((total, [rule, weight]) => total + (rule.test(sentence) ? weight : 0), 0);
  return (
    heading +
    sum(FOR) -
    sum(AGAINST) +
    (STARTED_BY.test(after) ? 0.8 : 0) +
    (match.groups?.['unit'] === 'anniversary' ? 0.5 : 0)
  );
}
