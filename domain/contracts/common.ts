import { z } from 'zod';

/** A moment on the wire: ISO 8601 in UTC. */
export const Moment = z.iso.datetime().describe('ISO 8601, UTC').meta({ example: '2026-11-21T08:30:00.000Z' });

/** A day on the wire. */
export const Day = z.iso.date().describe('ISO 8601 date').meta({ example: '2026-11-21' });

/** The largest id of a table whose key is a 32-bit integer. */
export const MAX_ID = 2_147_483_647;

/** A record's integer id, as input. */
export const idField = (description: string) => z.int().positive().max(MAX_ID).describe(description);

/** The id of a row whose key is a 64-bit integer, as input: JSON carries it exactly up to 2^53. */
export const bigIdField = (description: string) =>
  z.int().positive().max(Number.MAX_SAFE_INTEGER).describe(description);

/**
 * A character that can be seen: no white space, control, joiner, filler, direction mark or variation selector. In plain
 * escapes, because the document shows it as a pattern to programs in all languages. NUL is refused everywhere, by its name.
 */
const VISIBLE =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[^\s\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]/;

/** A text with something to read in it, as input. */
export const textField = (max: number, description: string) =>
  z.string().min(1, { abort: true }).max(max).regex(VISIBLE, 'must not be blank').describe(description);

/** An e-mail address, as input: RFC 5321 has 254 characters in all and 64 before the @. */
export const emailField = (description: string) =>
  z
    .email()
    .max(254)
    .refine((value) => value.indexOf('@') <= 64, 'must have at most 64 characters before the @')
    .describe(description);

/** What lies outside is a typing error: an empty date of another program, or a year with a digit too many. */
const FIRST_DAY = '1900-01-01';
const LAST_DAY = '2200-12-31';
/** Every day between the two, for the document: it can say this only as a pattern. */
const DAYS =
  '(?:(?:(?:19|20|21)\\d{2}|2200)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:(?:19|20|21)(?:0[48]|[2468][048]|[13579][26])|2000)-02-29)';
const TIMES = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?';
const DAY_PATTERN = `^${DAYS}$`;
const DAY_OR_MOMENT_PATTERN = `^${DAYS}(?:T${TIMES})?$`;

const ISO_DATE = z.union([
  z.iso.datetime({ offset: true, local: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.date(),
]);
/** ISO 8601 with offset, or of UTC when it has none, or a date alone; as input. */
export const dateOrMomentField = (description: string) =>
  z
    .string()
    .refine((value) => ISO_DATE.safeParse(value).success, {
      error: 'must be an ISO 8601 date or date and time',
      abort: true,
    })
    .refine((value) => isDayTaken(momentOf(value).toISOString()), `must be between ${FIRST_DAY} and ${LAST_DAY}`)
    .describe(`${description} (ISO 8601 date, or date and time; UTC unless it has an offset)`)
    .meta({ pattern: DAY_OR_MOMENT_PATTERN });

/** A day, as input. */
export const dayField = (description: string) =>
  z.iso
    .date()
    .refine(isDayTaken, `must be between ${FIRST_DAY} and ${LAST_DAY}`)
    .describe(`${description} (ISO 8601 date)`)
    .meta({ pattern: DAY_PATTERN, example: '2026-11-21' });

/** Years beyond 0 to 9999 are written with a sign, and so lie outside as well. */
function isDayTaken(text: string): boolean {
  return /^\d/.test(text) && text >= FIRST_DAY && text.slice(0, 10) <= LAST_DAY;
}

const ZONE_NAME = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

/** Whether a name is an IANA time zone. An offset or a timestamp is none, though some parsers take one for it. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A field that an update may set or, with null, empty. */
export function emptiable<T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodNullable<T>> {
  const meta = { ...schema.meta(), description: `${schema.description ?? ''}; null empties it` };
  return schema.nullable().meta(meta).optional();
}

/** The input fields by which a list is paged. */
export const windowFields = (defaultLimit = 50, maxLimit = 500) => ({
  limit: z.int().min(1).max(maxLimit).default(defaultLimit).describe('How many to return'),
  offset: z.int().min(0).max(1_000_000).default(0).describe('How many to skip'),
});
export interface Window {
  limit: number;
  offset: number;
}

/** Where a list stands within all that matches. */
export const Pagination = z
  .object({
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    total_is_exact: z.literal(false).optional(),
  })
  .describe('total that match, and the window returned')
  .meta({ id: 'Pagination' });
export type Page = z.output<typeof Pagination>;

/** A moment of the database on the wire. */
export function isoMoment(value: Date): string;
export function isoMoment(value: Date | null): string | null;
export function isoMoment(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}

/** A date alone is midnight UTC; a moment without offset is read as UTC (decisions §5: dates are UTC). */
export function momentOf(text: string): Date {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  return new Date(hasOffset || isDateAlone(text) ? text : `${text}Z`);
}

export function isDateAlone(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** Lists count no further than this: beyond it nobody needs the exact number, and counting would read every row. */
export const MAX_COUNTED = 10_000;

/** Where a list stands whose matches were counted up to one more than `most`. */
export function pageOf(counted: number, { limit, offset }: Window, most = MAX_COUNTED): Page {
  const isExact = counted <= most;
  return { total: Math.min(counted, most), limit, offset, ...(isExact ? {} : { total_is_exact: false }) };
}
