import type { ExtractionField } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import type { Prose } from '../prose.ts';

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );

export interface ContractDate {
  iso: string;
  index: number;
  length: number;
  before: string;
  after: string;
}

/** The dates of a contract; also "the 2nd day of July, 2011" and "this first day of May 2010". Positions are the text's. */
export function contractDates(prose: Prose, context: ExtractContext): ContractDate[] {
  const plain = plainDays(prose.text);
  return findDates(plain, context.dateOrder).map(({ iso, index, length }) => ({
    iso,
    index,
    length,
    before: plain.slice(Math.max(0, index - 110), index).toLowerCase(),
    after: prose.text.slice(index + length, index + length + 60).toLowerCase(),
  }));
}

/** Moves the number of "2nd day of July" before the month, in place: the text keeps its length. */
function plainDays(text: string): string {
  return text
    .replace(/\b(\d{1,2})\s?(?:st|nd|rd|th)?\s+day\s+of\s+/giu, (all, day: string) => `${day} `.padStart(all.length))
    .replace(
      /\b(?:(twenty|thirty)-?\s?)?(\p{L}+)\s+day\s+of\s+/giu,
      (all, tens: string | undefined, ordinal: string) => {
        const unit = ORDINALS.indexOf(ordinal.toLowerCase()) + 1;
        const day = unit + (tens === undefined ? 0 : tens.toLowerCase() === 'twenty' ? 20 : 30);
        return unit === 0 ? all : `${String(day)} `.padStart(all.length);
      },
    );
}

/** What says that a contract starts on the date, before it and behind it. */
const STARTS: [RegExp, number][] = [
  [/effective\s*date\W*(?:of\s*this.{0,40})?(?:is|means|shall\s*(?:be|mean)|:)?[^.;]{0,12}$/, 4],
  [/(?:effective|with effect)\s*(?:as\s*of|on|from|date)?\W*(?:this|the)?\s*$/, 3.5],
  [/(?:made|entered|dated|executed|concluded|signed|agreed)\b[^.;]{0,60}?(?:as\s*of|on|this|dated|the)?\W*$/, 3],
  [/\bdated?\s*(?:as\s*of|this|the)?\W*$/, 2.5],
  [/(?:commenc(?:es?|ing|ement)|beginn?(?:s|ing)|starts?|starting)\b[^.;]{0,30}$/, 3.2],
  [
    /(?:geschlossen|abgeschlossen|vereinbart)\b.{0,40}$|\b(?:beginnt|ab dem|mit wirkung (?:vom|zum)|in kraft (?:am)?|gültig ab)\W*$/,
    3,
  ],
  [/\p{L}{3},\s*den\s*$/u, 2],
  [
    /(?<!\p{L})(?:prend effet|à compter du|entre en vigueur|en date du|fait à \S+,? le|conclu le|signé le)\W*.{0,20}$/u,
    3,
  ],
  [/\b(?:entrará en vigor|con efectos? (?:de|desde)|a partir del?|celebrado|suscrito|fecha de inicio)\b.{0,25}$/, 3],
  [/\b(?:ingaande op|met ingang van|gaat in op|treedt in werking op|aangegaan op|ingangsdatum)\W*.{0,15}$/, 3],
];
const NAMED_AFTER = /^\W{0,4}\(?\W*(?:the\W*)?[“"'‘]?\s*(?:effective|agreement|commencement|start)\s*date/;
const ACCEPTED = /(?:accepted|agreed)\s*(?:and\s*(?:agreed|accepted))?\s*(?:to|on|as\s*of|this|:|\s)*\W*$/;
const OTHER_DATE =
  /(?:expir|terminat|until|through|ending|amended|pursuant|prior|employment(?! (?:shall |will )?(?:commenc|begin|start))|act of|filed|born|geboren|né|notes? due|commission|between\W*$|and\W*$)[^.;]{0,30}$/;

/** The day from which the contract holds: the date that its clauses call so, else that of its heading or its letter. */
export function effectiveDate(
  dates: ContractDate[],
  prose: Prose,
  context: ExtractContext,
): ExtractionField | undefined {
  const scored = dates.map((date) => ({ date, score: scoreOf(date, prose) })).sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (!best || best.score < 0) return undefined;
  const rival = scored.find((other) => other.date.iso !== best.date.iso);
  const lead = rival ? Math.min(1, Math.max(0, (best.score - rival.score) / 2)) : 1;
  const strength = best.score >= 3 ? 0.8 : best.score >= 2 ? 0.7 : 0.55;
  const { words, page } = prose.wordsAt(best.date.index, best.date.length);
  const sure = context.dateOrderSure || /\p{L}/u.test(words.map((word) => word.text).join('')) ? 1 : 0.93;
  return fieldOf(best.date.iso, words, page, (strength + 0.15 * lead) * sure);
}

function scoreOf(date: ContractDate, prose: Prose): number {
  const share = date.index / Math.max(1, prose.text.length);
  let score = 0.6 - share;
  score += Math.max(0, ...STARTS.map(([pattern, weight]) => (pattern.test(date.before) ? weight : 0)));
  if (NAMED_AFTER.test(date.after)) score += 3;
  // The counterpart's acceptance makes a letter binding.
  if (share > 0.6 && ACCEPTED.test(date.before)) score += 3.5;
  if (standsAlone(date, prose)) score += 1.4;
  if (OTHER_DATE.test(date.before)) score -= 2;
  if (share > 0.1 && score < 3) score -= 1;
  return score;
}

/** A letter's date: a line of its own. */
const standsAlone = ({ index, length, before }: ContractDate, prose: Prose): boolean =>
  prose.lineStarts.includes(index) &&
  prose.lineStarts.some((start) => start >= index + length && start <= index + length + 2) &&
  !/\bdate\W*$/.test(before);

const ENDS =
  /(?:expir(?:es?|ing|y|ation)|terminat(?:es?|ing|ion)|until|through|ending|ends?|bis zum|endet|jusqu['’]au|prend fin|expire|hasta|finalizará|vence|eindigt|tot en met)\b[^.;]{0,45}$/;

/** The day on which the contract ends, where a clause names it. */
export function expiryDate(dates: ContractDate[], start: unknown, prose: Prose): ExtractionField | undefined {
  const ending = dates.filter(({ iso, before }) => ENDS.test(before) && (typeof start !== 'string' || iso > start));
  const best =
    ending.find(({ before }) => /agreement|contract|term|lease|vertrag|contrat|overeenkomst/.test(before)) ?? ending[0];
  if (!best) return undefined;
  const { words, page } = prose.wordsAt(best.index, best.length);
  return fieldOf(best.iso, words, page, ending.length === 1 ? 0.8 : 0.65);
}
