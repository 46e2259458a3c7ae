import { readMrz } from '../../mrz/mrz.ts';
import type { Mrz, MrzValue } from '../../mrz/types.ts';
import type { ExtractionField, Word } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { findDateCandidates } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { holderAddress } from './address.ts';
import { completeName, pageNames, unlabelledName } from './names.ts';
import { findNationalNumber, readDriverNumber } from './national-number.ts';
import { nameOver, readNumberedFields } from './numbered.ts';
import { unlabelledHolder, unlabelledNumber, unlabelledSex } from './unlabelled.ts';
import { readVisualZone, type VisualZone } from './visual.ts';

type Fields = Record<string, ExtractionField>;

/** North American licences print the month first. */
const AMERICAN = /\bdriver'?s?\s*licen[s]e\b|\bDLN?\b|\b4d\b|\bUSA\b|real\s*id|\borgan\s*donor\b|permanent\s*resident/i;

/**
 * Fields of a passport, an identity card or a driving licence. The machine-readable zone counts most where its check
 * digits agree; what it lacks (issue date, address) and documents without one are read by labels and numbered fields.
 */
export function extractIdentity(context: ExtractContext, type: string): Fields {
  const local = withDateOrder(context, type);
  const mrz = readMrz(local.lines);
  const visual = readVisual(local, type, mrz);
  const fields: Fields = mrz ? zoneFields(mrz, local, visual) : {};
  for (const [name, value] of Object.entries(visual)) {
    if (value && !HELPERS.has(name) && !fields[name])
      fields[name] = fieldOf(value.value, value.words, value.page, value.certainty);
  }
  if (!fields['issue_date']) {
    const issue = issueByElimination(local, fields);
    if (issue) fields['issue_date'] = issue;
  }
  return fields;
}

/** Numbers by the label that they stood behind: one of them is the document's. */
const HELPERS = new Set(['licence_number', 'id_number', 'serial_number']);

function withDateOrder(context: ExtractContext, type: string): ExtractContext {
  const american = type !== 'passport' && AMERICAN.test(context.text);
  return context.dateOrderSure || !american ? context : { ...context, dateOrder: 'mdy' };
}

function readVisual(context: ExtractContext, type: string, mrz: Mrz | undefined): VisualZone {
  const numbered = type === 'drivers_license' ? readNumberedFields(context) : {};
  const labelled = readVisualZone(context);
  if (numbered['document_number']) delete labelled['licence_number'];
  const zone: VisualZone = { ...labelled, ...numbered };
  const surname = zone.surname ?? (zone.given_names && nameOver(zone.given_names, context.lines));
  if (!mrz && surname) zone.surname = surname;
  if (!mrz && type === 'drivers_license' && !zone.surname && !zone.given_names) {
    Object.assign(zone, nameOf(zone) ?? unlabelledName(context.lines));
  } else if (!mrz && (!zone.surname || !zone.given_names)) Object.assign(zone, nameOf(zone) ?? {});
  const address = zone.address ?? holderAddress(context.lines);
  if (address && type !== 'passport') zone.address = address;
  chooseNumber(zone, type);
  addNationalNumber(zone, context, type, mrz);
  if (!mrz) addUnlabelled(zone, context, type);
  return zone;
}

/** What stands without a label on cards that leave little room. */
function addUnlabelled(zone: VisualZone, context: ExtractContext, type: string): void {
  const number =
    zone.document_number ??
    (type === 'id_document' ? (unlabelledNumber(context) ?? zone.personal_number) : undefined) ??
    zone['serial_number'];
  if (number) zone.document_number = number;
  const sex = zone.sex ?? unlabelledSex(context.lines);
  if (sex) zone.sex = sex;
  if (type !== 'id_document' || zone.surname || zone.given_names || zone.full_name) return;
  const holder = unlabelledHolder(context.lines, number?.value);
  Object.assign(zone, holder, nameOf(holder));
}

/** A licence is known by its licence number, a card by the card's and else by the person's. */
function chooseNumber(zone: VisualZone, type: string): void {
  const order =
    type === 'drivers_license'
      ? [zone['licence_number'], zone.document_number, zone['id_number']]
      : [zone.document_number, zone['id_number'], zone['licence_number']];
  const number = order.find((value) => value !== undefined);
  if (number) zone.document_number = number;
}

/** A whole name under one label: the surname is last, or first before a comma. */
function nameOf(zone: VisualZone): Partial<VisualZone> | undefined {
  const name = zone.full_name ?? (zone.surname?.value.includes(' ') && !zone.given_names ? zone.surname : undefined);
  const parts = name?.value.split(' ') ?? [];
  if (!name || parts.length < 2) return undefined;
  const comma = name.value.includes(',');
  const [surname, given] = comma
    ? [name.value.split(',')[0]!, name.value.split(',').slice(1).join(' ')]
    : [parts.at(-1)!, parts.slice(0, -1).join(' ')];
  const place = { words: name.words, page: name.page, certainty: 0.6 };
  return { surname: { value: surname.trim(), ...place }, given_names: { value: given.trim(), ...place } };
}

/** Numbers that check themselves confirm, or give, birth date and sex. */
function addNationalNumber(zone: VisualZone, context: ExtractContext, type: string, mrz: Mrz | undefined): void {
  if (type === 'passport') return;
  const driver = type === 'drivers_license' ? readDriverNumber(context.text) : undefined;
  const national = driver ?? (mrz ? undefined : findNationalNumber(context.text, undefined));
  if (!national) return;
  const words = wordsWith(context, national.value);
  const put = (name: string, value: string | undefined, certainty: number): void => {
    if (value === undefined) return;
    const printed = zone[name];
    if (printed?.value === value) printed.certainty = 0.97;
    else if (!printed || certainty > printed.certainty)
      zone[name] = { value, words: words.words, page: words.page, certainty };
  };
  // Romania's and Belgium's cards have a number of their own.
  const isCards = !driver && ['ROU', 'BEL', 'POL'].includes((national as { country: string }).country);
  if (driver || (type === 'id_document' && !isCards)) put('document_number', national.value, 0.95);
  if (!driver) put('personal_number', national.value, 0.95);
  put('date_of_birth', national.date_of_birth, 0.93);
  put('sex', national.sex, 0.93);
  if ('country' in national) put('issuing_country', national.country, 0.7);
}

function wordsWith(context: ExtractContext, value: string): { words: Word[]; page: number } {
  const flat = (text: string): string => text.replace(/[\s-]/g, '');
  for (const line of context.lines) {
    if (!flat(line.text).includes(flat(value))) continue;
    const words = line.words.filter((word) => flat(word.text).length > 1 && flat(value).includes(flat(word.text)));
    return { words: words.length > 0 ? words : line.words, page: line.page };
  }
  return { words: [], page: 1 };
}

/** How sure a value of the zone is by its check digit; where the format has none for it, by those of the other fields. */
const CERTAINTY = { verified: 0.98, failed: 0.55 };

function zoneFields(mrz: Mrz, context: ExtractContext, visual: VisualZone): Fields {
  const fields: Fields = {};
  const share = mrz.checks.passed / Math.max(1, mrz.checks.total);
  const upper = mrz.words[0]!;
  const data = mrz.words[Math.min(mrz.words.length - 1, 1)]!;
  const put = (name: string, field: MrzValue | undefined, words: Word[], plain: number): void => {
    if (!field) return;
    const certainty =
      field.verified === undefined
        ? plain * (0.7 + 0.3 * share)
        : field.verified
          ? CERTAINTY.verified
          : CERTAINTY.failed;
    const printed = visual[name];
    // Two independent readings that agree are as good as a check digit.
    const agreed = printed !== undefined && flat(printed.value) === flat(field.value);
    const rival = !agreed && field.verified === false && printed !== undefined;
    fields[name] = rival
      ? fieldOf(printed.value, printed.words, printed.page, 0.6)
      : fieldOf(field.value, words, mrz.page, agreed ? 0.98 : certainty);
  };
  put('document_number', printedNumber(mrz.document_number, context, mrz), mrz.format === 'TD1' ? upper : data, 0.9);
  put('date_of_birth', mrz.date_of_birth, data, 0.9);
  put('expiry_date', mrz.expiry_date, data, 0.9);
  put('nationality', mrz.nationality, data, 0.93);
  put('issuing_country', mrz.issuing_country, upper, 0.93);
  put('personal_number', mrz.personal_number, data, 0.85);
  put('sex', mrz.sex, data, mrz.sex?.value === 'X' ? 0.6 : 0.96);
  if (mrz.sex?.value === 'X' && visual.sex)
    fields['sex'] = fieldOf(visual.sex.value, visual.sex.words, visual.sex.page, 0.85);
  Object.assign(fields, nameFields(mrz, context));
  fields['mrz'] = fieldOf(mrz.lines.join('\n'), mrz.words.flat(), mrz.page, 0.4 + 0.55 * share);
  return fields;
}

/** Where the check digit leaves several readings, the one that is printed elsewhere on the page. */
function printedNumber(number: MrzValue | undefined, context: ExtractContext, mrz: Mrz): MrzValue | undefined {
  if (!number?.candidates) return number;
  const zone = new Set(mrz.words.flat());
  const page = context.lines.flatMap((line) =>
    line.words.filter((word) => !zone.has(word)).map((word) => flat(word.text)),
  );
  const seen = number.candidates.find((candidate) => page.includes(flat(candidate)));
  return seen === undefined ? number : { value: seen, verified: true };
}

const flat = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

function nameFields(mrz: Mrz, context: ExtractContext): Fields {
  const fields: Fields = {};
  const page = pageNames(context.lines, new Set(mrz.words.flat().map((word) => word.text)));
  const words = mrz.words[mrz.format === 'TD1' ? mrz.words.length - 1 : 0]!;
  for (const name of ['surname', 'given_names'] as const) {
    const read = mrz[name];
    if (!read) continue;
    const { name: value, seen } = completeName(read.value, page);
    fields[name] = fieldOf(value, words, mrz.page, seen ? 0.96 : 0.82);
  }
  return fields;
}

/** A date on the page that is neither birth nor expiry and lies a whole number of years before the expiry. */
function issueByElimination(context: ExtractContext, fields: Fields): ExtractionField | undefined {
  const birth = fields['date_of_birth']?.value;
  const expiry = fields['expiry_date']?.value;
  if (typeof expiry !== 'string') return undefined;
  const candidates = findDateCandidates(context).filter(
    ({ iso }) => iso !== birth && iso < expiry && (typeof birth !== 'string' || iso > birth),
  );
  const fitting = candidates.filter(({ iso }) => isWholeYears(iso, expiry));
  const best = fitting.at(-1);
  return best ? fieldOf(best.iso, best.words, best.line.page, 0.75) : undefined;
}

const DAY_MS = 86_400_000;

/** One to fifteen years apart, give or take a day. */
function isWholeYears(from: string, to: string): boolean {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  const shifted = Date.parse(`${String(Number(from.slice(0, 4)) + years).padStart(4, '0')}${from.slice(4)}`);
  return years >= 1 && years <= 15 && Math.abs(shifted - Date.parse(to)) <= DAY_MS * 1.5;
}
