import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { fieldOf } from '../field.ts';

export interface EducationEntry {
  institution: string | null;
  degree: string | null;
  from: string | null;
  to: string | null;
}

export interface ExperienceEntry {
  company: string | null;
  title: string | null;
  /** YYYY-MM or YYYY. */
  from: string | null;
  /** As `from`, or `present`. */
  to: string | null;
  description: string;
}

const BULLET = /^\s*[•◦●▪■◆○⁃‣*–·-]\s*(?=\S)/u;
const MONTHS =
  'jan(?:uar|uary|vier|v)?|feb(?:ruar|ruary|r)?|f[ée]v(?:rier)?|m[aä]r(?:z|ch|s)?|apr(?:il)?|avr(?:il)?|ma[iy]|june?|juni?|juin|july?|juli?|juil(?:let)?|aug(?:ust)?|ao[uû]t|sep(?:t|tember|tembre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|d[ée]c(?:embre)?|ene(?:ro)?|abr(?:il)?|ago(?:sto)?|dic(?:iembre)?|mrt|mei';
const POINT = String.raw`(?:(?:${MONTHS})\.?,?\s*(?:of\s+)?(?:'\d{2}|\d{4})|(?:0?[1-9]|1[0-2])[/.](?:19|20)\d{2}|(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2]))?)`;
const OPEN = String.raw`present|current|now|today|ongoing|heute|aktuell|aujourd.hui|pr[ée]sent|actual(?:idad)?|hoy|heden|nu|oggi|atual`;
const RANGE = new RegExp(
  String.raw`(?<from>${POINT})\s*(?:[-–—−]|to|until|bis|à|au|a|hasta|tot)\s*(?<to>${POINT}|${OPEN})`,
  'iu',
);
const SINGLE = new RegExp(String.raw`(?<![\d.])(?<to>${POINT})(?!\d)`, 'iu');
const MONTH_STARTS = [
  'ja|en',
  'f',
  'mar|mär|mrt',
  'ap|av|ab',
  'ma[iy]|mei',
  'jun|juin',
  'jul|juil',
  'au|ao|ag',
  's',
  'o',
  'n',
  'd',
].map((source) => new RegExp(`^(?:${source})`, 'i'));

const INSTITUTION =
  /universit|college|school|institut|academy|acad[ée]mie|hochschule|gymnasium|schule|[ée]cole|lyc[ée]e|facult|polytechni|universidad|escuela|colegio|hogeschool|politecnico|instituto|\bETH\b|\bMIT\b|\bUC[LB]?\b/iu;
const DEGREE =
  /\b(?:ph\.?\s?d|d\.?phil|doctor\w*|master\w*|bachelor\w*|b\.?\s?(?:sc?|a|eng|tech|com|ed)|m\.?\s?(?:sc?|a|eng|tech|ba|ed|phil)|mba|associate|diplom\w*|degree|licen[cs]iatura|licence|licenciad[oa]|grado|abitur|staatsexamen|magister|laurea|high school|secondary|matric|certificate|a-levels?|gcse|minor|major)\b/iu;
const ROLE =
  /\b(?:engineer|developer|manager|intern|director|analyst|consultant|assistant|officer|lead|head|founder|co-founder|c[etfo]o|president|architect|designer|scientist|researcher|teacher|lecturer|professor|nurse|technician|administrator|coordinator|specialist|supervisor|accountant|clerk|associate|representative|trainee|student|fellow|programmer|cashier|driver|editor|writer|entwickler\w*|ingenieur\w*|leiter\w*|praktikant\w*|werkstudent\w*|berater\w*|ing[ée]nieur\w*|d[ée]veloppeur\w*|stagiaire|directeur|directrice|chef|responsable|ingenier[oa]|desarrollador\w*|gerente|director[a]?|becari[oa]|medewerker|stagiair|ontwikkelaar|owner|sales|executive|secretary|agent|mentor|tutor|chair|member)\b/iu;
const LOCATION = /^(?:\p{Lu}[\p{L}.'’-]+\s?){1,3},\s*(?:\p{Lu}{2,3}|\p{Lu}[\p{L}.]+(?:\s\p{Lu}\p{L}+)?)$|^remote$/u;

/** A town with its state or country; titles and institutions look alike. */
const isLocation = (text: string): boolean => LOCATION.test(text) && !ROLE.test(text) && !INSTITUTION.test(text);

interface Entry {
  header: string[];
  body: string[];
  from: string | null;
  to: string | null;
}

/** Entries of a section: lines without a bullet open one, its bullets follow. A date range belongs to the entry it stands in. */
function entriesOf(lines: Line[]): Entry[] {
  const entries: Entry[] = [];
  const left = Math.min(...lines.map((line) => line.bbox.x));
  for (const line of lines) {
    const bullet = BULLET.test(line.text);
    const { text, from, to } = takeDates(line);
    const dated = from !== null || to !== null;
    let entry = entries.at(-1);
    const deep = line.bbox.x > left + line.bbox.height * 1.2;
    const opens =
      !bullet &&
      (!entry ||
        (entry.body.length > 0 && !(deep && !dated) && looksLikeHeader(text)) ||
        (dated && hasDates(entry) && entry.header.length > 0));
    if (!entry || opens) {
      entry = { header: [], body: [], from: null, to: null };
      entries.push(entry);
    }
    if (dated && !hasDates(entry)) Object.assign(entry, { from, to });
    if (text === '') continue;
    if (bullet || entry.body.length > 0 || entry.header.length >= 6 || !looksLikeHeader(text))
      entry.body.push(text.replace(BULLET, ''));
    else entry.header.push(...piecesOf(line, text));
  }
  return entries.filter((entry) => entry.header.length > 0);
}

const hasDates = (entry: Entry): boolean => entry.from !== null || entry.to !== null;

const looksLikeHeader = (text: string): boolean =>
  text.length <= 110 && !/[.;]$/.test(text) && /^[\p{Lu}\d"“'(]/u.test(text);

function takeDates(line: Line): { text: string; from: string | null; to: string | null } {
  const range = RANGE.exec(line.text);
  // A year inside a bullet is a part of what it tells; one on the right of its own is the entry's.
  const alone = BULLET.test(line.text) ? undefined : SINGLE.exec(line.text);
  const match = range ?? alone;
  if (!match) return { text: line.text.trim(), from: null, to: null };
  const text = `${line.text.slice(0, match.index)} ${line.text.slice(match.index + match[0].length)}`
    .replace(/[([]\s*[)\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,|–-]+|[\s,|–(-]+$/g, '')
    .trim();
  return { text, from: monthOf(match.groups?.['from']), to: monthOf(match.groups?.['to']) };
}

/** "Sept 2018", "09/2018" and "2018" as YYYY-MM or YYYY; words for today as `present`. */
function monthOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const year =
    /(?:19|20)\d{2}/.exec(text)?.[0] ?? (/'(\d{2})/.exec(text) ? `20${/'(\d{2})/.exec(text)![1]!}` : undefined);
  if (year === undefined) return 'present';
  const numeric = /^(0?[1-9]|1[0-2])[/.]/.exec(text)?.[1] ?? /-(\d{2})$/.exec(text)?.[1];
  const month = numeric === undefined ? MONTH_STARTS.findIndex((pattern) => pattern.test(text)) + 1 : Number(numeric);
  return month > 0 ? `${year}-${String(month).padStart(2, '0')}` : year;
}

/** Parts of a header line: cells, and what dashes, bars and commas part; "City, ST" stays together. */
function piecesOf(line: Line, text: string): string[] {
  const cells = line.segments.map((segment) => segment.text).filter((cell) => text.includes(cell));
  const parts = (cells.length > 1 ? cells : [text]).flatMap((cell) =>
    cell.split(/\s[–—|•·-]\s|\s{3,}|\sat\s(?=\p{Lu})/u),
  );
  return parts
    .flatMap(splitCommas)
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part));
}

function splitCommas(text: string): string[] {
  if (isLocation(text.trim())) return [text];
  const [first, ...rest] = text.split(/,\s+/);
  if (rest.length === 0) return [text];
  const tail = rest.join(', ');
  const parted = [INSTITUTION, ROLE].some((pattern) => pattern.test(first!) !== pattern.test(tail));
  return parted ? [first!, ...splitCommas(tail)] : [text];
}

export function readEducation(lines: Line[]): ExtractionField | undefined {
  const entries = entriesOf(lines).map(({ header, from, to }): EducationEntry => {
    const pieces = header.filter((piece) => !isLocation(piece));
    const institution =
      pieces.find((piece) => INSTITUTION.test(piece)) ?? pieces.find((piece) => !DEGREE.test(piece)) ?? null;
    const rest = pieces.filter((piece) => piece !== institution);
    const split =
      institution === null
        ? undefined
        : /^((?:ph\.?d|b\.?s\.?c?|m\.?s\.?c?|b\.?a|m\.?a|mba)\.?)\s+(?=\p{Lu})(.+)$/iu.exec(institution);
    const degree = [split?.[1], rest.find((piece) => DEGREE.test(piece)) ?? rest[0]]
      .filter((part) => part !== undefined)
      .join(' ');
    return { institution: split?.[2] ?? institution, degree: degree === '' ? null : degree, from, to };
  });
  return listField(
    entries,
    lines,
    (entry) => entry.institution !== null && entry.from !== entry.institution && entry.to !== null,
  );
}

export function readExperience(lines: Line[]): ExtractionField | undefined {
  const entries = entriesOf(lines).map(({ header, body, from, to }): ExperienceEntry => {
    const pieces = header.filter((piece) => !isLocation(piece));
    const title = pieces.find((piece) => ROLE.test(piece)) ?? pieces[1] ?? null;
    const company = pieces.find((piece) => piece !== title) ?? null;
    return { company, title, from, to, description: body.join('\n') };
  });
  return listField(entries, lines, (entry) => entry.company !== null && entry.title !== null && entry.to !== null);
}

/** As sure as the share of entries that are complete. */
function listField<T>(entries: T[], lines: Line[], complete: (entry: T) => boolean): ExtractionField | undefined {
  if (entries.length === 0) return undefined;
  const share = entries.filter(complete).length / entries.length;
  const page = lines[0]!.page;
  const words = lines.filter((line) => line.page === page).flatMap((line) => line.words);
  return fieldOf(entries, words, page, 0.4 + 0.4 * share);
}

const MAX_SKILL_WORDS = 6;

/** Skills one by one: a section's lists, without the name of each list. */
export function readSkills(lines: Line[]): ExtractionField | undefined {
  const text = joinWrapped(lines);
  const skills = text
    .flatMap((row) =>
      row
        .replace(BULLET, '')
        .replace(/^[^:,]{2,40}:\s*/, '')
        .split(/[,;|•·●▪]|\s{3,}/),
    )
    .map((skill) =>
      skill
        .replace(/^[\s–*-]+|[\s.–-]+$/g, '')
        .replace(/^and\s+/, '')
        .trim(),
    )
    .filter((skill) => /\p{L}/u.test(skill) && skill.length <= 60 && skill.split(/\s+/).length <= MAX_SKILL_WORDS);
  const unique = [...new Set(skills)];
  if (unique.length === 0) return undefined;
  const page = lines[0]!.page;
  const words = lines.filter((line) => line.page === page).flatMap((line) => line.words);
  return fieldOf(unique, words, page, unique.length >= 3 ? 0.75 : 0.55);
}

/** A list that ends in a comma goes on in the next line. */
function joinWrapped(lines: Line[]): string[] {
  const rows: string[] = [];
  for (const line of lines) {
    const text = line.segments.map((segment) => segment.text).join('   ');
    const last = rows.at(-1);
    if (last !== undefined && /,\s*$/.test(last) && !BULLET.test(text)) rows[rows.length - 1] = `${last} ${text}`;
    else rows.push(text);
  }
  return rows;
}
