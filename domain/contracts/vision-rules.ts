import { z } from 'zod';

/** Of what a rule compares with, as JSON. */
const MAX_VALUE_CHARACTERS = 20_000;

const isNumber = (value: unknown): boolean =>
  Number.isFinite(typeof value === 'string' && value.trim() !== '' ? Number(value) : value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isPattern(value: unknown): boolean {
  if (!isText(value)) return false;
  try {
    return new RegExp(value, 'u').source !== '';
  } catch {
    return false;
  }
}

/** What the value of a rule must be: one that can never be applied is refused here, and not paid for document by document. */
const RULE_VALUES: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, words: string]>> = {
  regex: [isPattern, 'must be a regular expression'],
  min: [isNumber, 'must be a number'],
  max: [isNumber, 'must be a number'],
  one_of: [(value) => Array.isArray(value) && value.length > 0, 'must be a list of what is allowed'],
  equals_field: [isText, 'must be the name of a field'],
  date_before: [isText, 'must be a date (YYYY-MM-DD) or the name of a field with one'],
  date_after: [isText, 'must be a date (YYYY-MM-DD) or the name of a field with one'],
};

export const CustomRule = z
  .strictObject({
    field: z.string().min(1).max(100).describe('Name of the field that is checked').meta({ example: 'total' }),
    rule: z.enum(['required', 'regex', 'min', 'max', 'one_of', 'equals_field', 'date_before', 'date_after']),
    value: z
      .unknown()
      .describe(
        'regex: a pattern; min, max: a number; one_of: a list; equals_field: another field; date_*: a date or a field',
      )
      .optional(),
    message: z.string().max(300).optional().describe('Said instead of our own words where the rule fails'),
  })
  .superRefine(({ rule, value }, context) => {
    const [fits, words] = RULE_VALUES[rule] ?? [];
    if (fits?.(value) === false) context.addIssue({ code: 'custom', path: ['value'], message: words });
    else if (value !== undefined && JSON.stringify(value).length > MAX_VALUE_CHARACTERS) {
      const message = `must not be longer than ${String(MAX_VALUE_CHARACTERS)} characters of JSON`;
      context.addIssue({ code: 'custom', path: ['value'], message });
    }
  })
  .meta({ id: 'CustomRule' });
