/** Order of the day and the month in numeric dates. */
export type DateOrder = 'dmy' | 'mdy';

export interface DateMatch {
  /** YYYY-MM-DD */
  iso: string;
  index: number;
  length: number;
  /** Both readings are calendar dates, so the order was decided by the document or its country. */
  ambiguous: boolean;
  /** Two-digit year. */
  short: boolean;
}

const MONTHS: string[][] = [
  'january jan januar janvier janv enero ene gennaio gen januari janeiro'.split(' '),
  'february feb februar février fevrier févr fevr fév febrero febbraio februari fevereiro fev'.split(' '),
  'march mar märz maerz mrz mars marzo maart mrt março marco'.split(' '),
  'april apr avril avr abril abr aprile'.split(' '),
  'may mai mayo maggio mag mei maio'.split(' '),
  'june jun juni juin junio giugno giu junho'.split(' '),
  'july jul juli juillet juil julio luglio lug julho'.split(' '),
  'august aug août aout agosto ago augustus'.split(' '),
  'september sep sept septembre septiembre settembre set setembro'.split(' '),
  'october oct oktober okt octobre octubre ottobre ott outubro out'.split(' '),
  'november nov novembre noviembre novembro'.split(' '),
  'december dec dezember dez décembre decembre déc diciembre dic dicembre desember dezembro'.split(' '),
];
/** The Nordic and Polish names and the Afrikaans ones that differ; an English name whose capital the reader lost. */
const MORE_MONTHS: string[][] = [
  'januarie janeuari januari januar stycznia styczen anuary'.split(' '),
  'februarie februari lutego luty ebruary'.split(' '),
  'maart mars marts marca marzec'.split(' '),
  'april kwietnia kwiecien'.split(' '),
  'mei maj maja mai'.split(' '),
  'junie juni czerwca'.split(' '),
  'julie juli lipca'.split(' '),
  'augustus augusti sierpnia ogos ugust'.split(' '),
  'september wrzesnia eptember'.split(' '),
  'oktober pazdziernika ctober'.split(' '),
  'november listopada ovember'.split(' '),
  'desember grudnia disember ecember'.split(' '),
];
/** Czech, Slovak, Polish with their letters, Hungarian, Romanian, Finnish, Turkish and Croatian: as they stand in dates. */
const FURTHER_MONTHS: string[][] = [
  'ledna leden január januára ianuarie tammikuuta tammikuu ocak siječnja'.split(' '),
  'února únor február februára februarie helmikuuta helmikuu şubat veljače'.split(' '),
  'března březen marec marca március martie maaliskuuta maaliskuu ožujka'.split(' '),
  'dubna duben apríl apríla április aprilie huhtikuuta huhtikuu nisan travnja kwietnia kwiecień'.split(' '),
  'května květen máj mája május toukokuuta toukokuu mayıs svibnja maj'.split(' '),
  'června červen jún júna június iunie kesäkuuta kesäkuu haziran lipnja'.split(' '),
  'července červenec júl júla július iulie heinäkuuta heinäkuu temmuz srpnja'.split(' '),
  'srpna srpen august augusta augusztus elokuuta elokuu ağustos kolovoza'.split(' '),
  'září september septembra szeptember septembrie syyskuuta syyskuu eylül rujna września'.split(' '),
  'října říjen október októbra octombrie lokakuuta lokakuu ekim listopada października'.split(' '),
  'listopadu listopad november novembra noiembrie marraskuuta marraskuu kasım studenoga'.split(' '),
  'prosince prosinec december decembra decembrie joulukuuta joulukuu aralık prosinca'.split(' '),
];
const MONTH_NUMBER = new Map(
  [FURTHER_MONTHS, MONTHS, MORE_MONTHS].flatMap((table) =>
    table.flatMap((names, index) => names.map((name) => [name, index + 1] as const)),
  ),
);
/** As documents print them, short and long, in the languages that dates are read in. */
export const monthNames: readonly string[] = [...MONTH_NUMBER.keys()];
const MONTH_NAME = [...MONTH_NUMBER.keys()].sort((a, b) => b.length - a.length).join('|');

const YEAR = String.raw`(?<year>(?:19|20)\d{2}|\d{2})`;
const PATTERNS: RegExp[] = [
  String.raw`(?<![\d.,/-])(?<year>(?:19|20)\d{2})\s?[-/.年]\s?(?<month>0?[1-9]|1[0-2])\s?[-/.月]\s?(?<day>[0-2]?\d|3[01])(?!\d)`,
  String.raw`(?<![\d.,/-])(?<a>\d{1,2})\s?(?<mark>[-/.])\s?(?<b>\d{1,2})\s?\k<mark>\s?(?<year>(?:19|20)\d{2})`,
  String.raw`(?<![\d.,/-])(?<a>\d{1,2})(?<mark>[-/.])(?<b>\d{1,2})\k<mark>(?<year>\d{2})(?![\d/])`,
  String.raw`(?<![\d.,])(?<day>[0-3]?\d)(?:st|nd|rd|th)?[\s.,/-]{0,3}(?:de |of )?(?<name>${MONTH_NAME})\.?[\s.,/'’-]{0,3}(?:de )?${YEAR}(?!\d)`,
  String.raw`(?<!\p{L})(?<name>${MONTH_NAME})\.?[\s-]{0,2}(?<day>[0-3]?\d)(?:st|nd|rd|th)?[\s.,'’-]{1,3}${YEAR}(?!\d)`,
  // "November 082023": the comma was lost.
  String.raw`(?<!\p{L})(?<name>${MONTH_NAME})\.?\s?(?<day>[0-3]\d)(?<year>20\d{2})(?!\d)`,
  String.raw`(?<![\d.,])(?<year>(?:19|20)\d{2})[\s.,/-]{1,2}(?<name>${MONTH_NAME})[\s.,/-]{1,2}(?<day>[0-3]?\d)(?!\d)`,
  // Till footers: 25032018 13:11, the time proves that it is no number.
  String.raw`(?<!\d)(?<day>[0-2]\d|3[01])(?<month>0[1-9]|1[0-2])(?<year>20\d{2})(?=\s[0-2]\d:[0-5]\d)`,
].map((source) => new RegExp(source, 'giu'));

/** Every date in a text, in the order of its position; overlapping readings keep the first pattern's. */
export function findDates(text: string, order: DateOrder = 'dmy'): DateMatch[] {
  const found: DateMatch[] = [];
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const date = toDate(match, order);
      if (!date || found.some((other) => overlap(other, match.index, match[0].length))) continue;
      found.push({ ...date, index: match.index, length: match[0].length });
    }
  }
  return found.sort((a, b) => a.index - b.index);
}

const overlap = (other: DateMatch, index: number, length: number): boolean =>
  index < other.index + other.length && other.index < index + length;

function toDate(match: RegExpMatchArray, order: DateOrder): Pick<DateMatch, 'iso' | 'ambiguous' | 'short'> | undefined {
  const groups = match.groups ?? {};
  const year = fullYear(groups['year'] ?? '');
  const short = (groups['year'] ?? '').length === 2;
  if (groups['a'] !== undefined) {
    const a = Number(groups['a']);
    const b = Number(groups['b']);
    const dmy = isoDate(year, b, a);
    const mdy = isoDate(year, a, b);
    // Points are written between day and month in that order only.
    const first = groups['mark'] === '.' ? 'dmy' : order;
    const iso = first === 'dmy' ? (dmy ?? mdy) : (mdy ?? dmy);
    const ambiguous = groups['mark'] !== '.' && dmy !== undefined && mdy !== undefined && a !== b;
    return iso === undefined ? undefined : { iso, short, ambiguous };
  }
  const month = groups['name'] ? MONTH_NUMBER.get(groups['name'].toLowerCase()) : Number(groups['month']);
  const iso = isoDate(year, month ?? 0, Number(groups['day']));
  return iso === undefined ? undefined : { iso, short, ambiguous: false };
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function isoDate(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || year < 1900 || year > 2100) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

export interface PartialDate {
  month: number;
  day: number;
  index: number;
  length: number;
}

const PARTIAL_PATTERNS: RegExp[] = [
  String.raw`^\W{0,2}(?<a>\d{1,2})(?<mark>[/.-])(?<b>\d{1,2})\.?(?![\d.,/%-])`,
  String.raw`^\W{0,2}(?<day>[0-3]?\d)(?:st|nd|rd|th)?[\s.-]{0,2}(?:de |of )?(?<name>${MONTH_NAME})(?!\p{L})`,
  String.raw`^\W{0,2}(?<name>${MONTH_NAME})\.?[\s-]{0,2}(?<day>[0-3]?\d)(?!\d)`,
].map((source) => new RegExp(source, 'iu'));

/** A day and a month without a year at the beginning of a text, as the rows of bank statements have them. */
export function partialDateAt(text: string, order: DateOrder = 'dmy'): PartialDate | undefined {
  for (const pattern of PARTIAL_PATTERNS) {
    const match = pattern.exec(text);
    const groups = match?.groups;
    if (!match || !groups) continue;
    const [first, second] = [Number(groups['a']), Number(groups['b'])];
    const named = groups['name'] === undefined ? undefined : MONTH_NUMBER.get(groups['name'].toLowerCase());
    const readings =
      groups['a'] === undefined
        ? [{ month: named ?? 0, day: Number(groups['day']) }]
        : [
            { month: second, day: first },
            { month: first, day: second },
          ];
    if (order === 'mdy') readings.reverse();
    // A leap year: February 29 is a day.
    const valid = readings.find(({ month, day }) => isoDate(2024, month, day) !== undefined);
    if (valid) return { ...valid, index: match.index, length: match[0].length };
  }
  return undefined;
}

/** The year that a partial date has in a period: the latest one that is not after the period's end. */
export function completeDate(partial: { month: number; day: number }, periodEnd: string): string | undefined {
  const year = Number(periodEnd.slice(0, 4));
  const inYear = isoDate(year, partial.month, partial.day);
  return inYear !== undefined && inYear <= periodEnd ? inYear : isoDate(year - 1, partial.month, partial.day);
}

/** Decides the order from dates that can be read one way only; undefined where all can be read both ways. */
export function dateOrderOf(text: string): DateOrder | undefined {
  let dmy = 0;
  let mdy = 0;
  for (const match of text.matchAll(/(?<![\d.,/-])(\d{1,2})([-/.])(\d{1,2})\2(?:19|20)?\d{2}(?!\d)/g)) {
    const [a, b] = [Number(match[1]), Number(match[3])];
    if (a > 12 && a <= 31 && b <= 12) dmy++;
    else if (b > 12 && b <= 31 && a <= 12) mdy++;
  }
  if (dmy === mdy) return undefined;
  return dmy > mdy ? 'dmy' : 'mdy';
}
