import type { CustomRule, Extraction, RuleResult } from '../types.ts';
import { safeRegex } from './safe-regex.ts';

/** A field is at most this long in a regex; what follows can't be matched. */
const MAX_TEXT = 300;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

type Verdict = { passed: boolean; message: string };

/**
 * The caller's own rules. A rule about a field that was not found passes, but for `required`: whether it must be there is
 * that rule's question alone. A rule that can't be applied (a pattern that could run for ever, a limit that is no number)
 * fails and says why.
 */
export function customRuleResults(extraction: Extraction, rules: CustomRule[]): RuleResult[] {
  return rules.map((rule) => {
    const value = extraction.fields[rule.field]?.value;
    const { passed, message } = isMissing(value) ? missing(rule) : verdict(extraction, rule, value);
    return { field: rule.field, rule: rule.rule, passed, message: passed ? message : (rule.message ?? message) };
  });
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

const missing = ({ rule }: CustomRule): Verdict =>
  rule === 'required' ? { passed: false, message: 'is required' } : { passed: true, message: 'was not found' };

function verdict(extraction: Extraction, { rule, value: wanted }: CustomRule, value: unknown): Verdict {
  switch (rule) {
    case 'required':
      return { passed: true, message: 'was found' };
    case 'regex':
      return matches(wanted, value);
    case 'min':
      return compare(wanted, value, 'at least', (a, b) => a >= b);
    case 'max':
      return compare(wanted, value, 'at most', (a, b) => a <= b);
    case 'one_of':
      return oneOf(wanted, value);
    case 'equals_field':
      return equalsField(extraction, wanted, value);
    case 'date_before':
      return compareDays(extraction, wanted, value, 'before', (a, b) => a < b);
    case 'date_after':
      return compareDays(extraction, wanted, value, 'after', (a, b) => a > b);
  }
}

const unusable = (what: string): Verdict => ({ passed: false, message: `the rule's value ${what}` });

function matches(wanted: unknown, value: unknown): Verdict {
  if (typeof wanted !== 'string') return unusable('must be a pattern');
  const regex = safeRegex(wanted);
  if (typeof regex === 'string') return unusable(regex);
  const passed = regex.test(textOf(value).slice(0, MAX_TEXT));
  return { passed, message: passed ? 'matches the pattern' : 'does not match the pattern' };
}

function compare(wanted: unknown, value: unknown, words: string, holds: (a: number, b: number) => boolean): Verdict {
  const limit = numberFrom(wanted);
  const number = numberFrom(value);
  if (limit === undefined) return unusable('must be a number');
  if (number === undefined) return { passed: false, message: 'is not a number' };
  return { passed: holds(number, limit), message: `must be ${words} ${String(limit)}` };
}

function oneOf(wanted: unknown, value: unknown): Verdict {
  if (!Array.isArray(wanted)) return unusable('must be a list');
  const passed = wanted.some((candidate) => isSame(candidate, value));
  return { passed, message: passed ? 'is in the list' : 'is not in the list' };
}

function equalsField({ fields }: Extraction, wanted: unknown, value: unknown): Verdict {
  if (typeof wanted !== 'string') return unusable('must be the name of a field');
  const other = fields[wanted]?.value;
  if (isMissing(other)) return { passed: false, message: `${wanted} was not found` };
  const passed = isSame(other, value);
  return { passed, message: `${passed ? 'equals' : 'differs from'} ${wanted}` };
}

/** `wanted` is a day, or the name of a field that holds one. */
function compareDays(
  { fields }: Extraction,
  wanted: unknown,
  value: unknown,
  words: string,
  holds: (a: string, b: string) => boolean,
): Verdict {
  const limit = typeof wanted === 'string' && !ISO_DAY.test(wanted) ? fields[wanted]?.value : wanted;
  if (!isDay(limit)) return unusable('must be a date or the name of a field with one');
  if (!isDay(value)) return { passed: false, message: 'is not a date' };
  return { passed: holds(value, limit), message: `must be ${words} ${limit}` };
}

const isDay = (value: unknown): value is string => typeof value === 'string' && ISO_DAY.test(value);

function numberFrom(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) < 0.005;
  const fold = (value: unknown): string => textOf(value).normalize('NFKC').trim().toLowerCase();
  return fold(a) === fold(b);
}
