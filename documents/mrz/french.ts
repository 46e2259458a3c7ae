import { asDigit, asLetters } from './alphabet.ts';
import { checkDigit, FILLER } from './check-digit.ts';
import { birthDate } from './dates.ts';
import { fitLength } from './data-line.ts';
import { nameField, readNames } from './names.ts';
import { repairDigits, repairMixed } from './repair.ts';
import type { Mrz, ZoneLine } from './types.ts';

/**
 * The French identity card issued from 1988 to 2021: two lines of 36, close to TD2 and yet another order. Line 1: IDFRA,
 * surname (25), office (6); line 2: number (12) and its check digit, given names (14), birth date and its check digit,
 * sex, composite. It states no expiry.
 */
export function readFrenchCard(upper: ZoneLine, lower: ZoneLine): Mrz | undefined {
  const head = /^[I1]DFRA/.exec(upper.text);
  const match = /^([A-Z0-9]{12})([A-Z0-9])([A-Z0-9<]{8,18}?)([A-Z0-9]{6})([A-Z0-9])([MFX<])([A-Z0-9])$/.exec(
    lower.text,
  );
  if (!head || !match) return undefined;
  const [, rawNumber, numberCheck, rawNames, rawBirth, birthCheck, sex, rawComposite] = match as unknown as string[];
  const number = repairMixed(rawNumber!, numberCheck!);
  const birth = repairDigits(rawBirth!, birthCheck!);
  const date = birth ? birthDate(birth.value, undefined) : undefined;
  if (!birth || date === undefined) return undefined;
  const body = fitLength(upper.text.slice(5), 31);
  const surname = readNames(asLetters(body.slice(0, 25))).surname;
  const given = readNames(`X<<${rawNames!.replace(/<+/g, FILLER)}`).given_names;
  const top = `IDFRA${surname.replace(/ /g, FILLER).padEnd(25, FILLER)}${body.slice(25)}`;
  const names = nameField({ surname: given, given_names: '' }, 14);
  const digit = asDigit(rawComposite!) ?? rawComposite!;
  const data = `${number.value}${number.check}${givenField(rawNames!, names)}${birth.value}${birth.check}${sex!}`;
  const composite = checkDigit(top + data) === digit;
  const checks = [number.verified, birth.verified, composite];
  return {
    format: 'FRA-ID',
    lines: [top, data + digit],
    page: lower.page,
    words: [upper.words, lower.words],
    checks: { passed: checks.filter(Boolean).length, total: 3 },
    document_code: 'ID',
    issuing_country: { value: 'FRA', verified: true },
    nationality: { value: 'FRA', verified: true },
    document_number: { value: number.value, verified: number.verified },
    surname: { value: surname, verified: undefined },
    given_names: { value: given, verified: undefined },
    date_of_birth: { value: date, verified: birth.verified },
    sex: { value: sex === FILLER ? 'X' : sex!, verified: undefined },
  };
}

/** `JEAN<<PIERRE` separates given names by two fillers: as read where the length is right, else refilled. */
const givenField = (raw: string, refilled: string): string =>
  raw.length === 14 ? asLetters(raw) : refilled.replace(/<<(?=[A-Z])/g, FILLER);
