import { z } from 'zod';

/** A moment on the wire: ISO 8601 in UTC. */
export const Moment = z.iso.datetime().describe('ISO 8601, UTC').meta({ example: '2026-11-21T08:30:00.000Z' });

/** A day on the wire. */
export const Day = z.iso.date().describe('ISO 8601 date').meta({ example: '2026-11-21' });

/** The largest id of a table whose key is a 32-bit integer. */
export const MAX_ID = 2_147_483_647;

/** A record's integer id, as input. */
export const idField = (description: string) => z.int().positive().max(MAX_ID).describe(description);

/** A text that is not empty, as input. */
export const textField = (max: number, description: string) => z.string().min(1).max(max).describe(description);

const ISO_DATE = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
/** ISO 8601 with offset, local to UTC when it has none, or a date alone; as input. */
export const dateOrMomentField = (description: string) =>
  z
    .string()
    .refine((value) => ISO_DATE.safeParse(value).success, {
      error: 'must be an ISO 8601 date or date and time',
      abort: true,
    })
    .refine((value) => isYearShown(momentOf(value)), 'must lie in the years 0000 to 9999 in UTC')
    .describe(`${description} (ISO 8601 date, or date and time)`);

/** Whether a moment has a year of four digits in UTC: no other can be answered as {@link Moment}. */
export function isYearShown(moment: Date): boolean {
  const year = moment.getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** A day, as input. PostgreSQL knows no year 0, which ISO 8601 has. */
export const dayField = (description: string, { from = '0001-01-01', to = '9999-12-31' } = {}) =>
  z.iso
    .date()
    .refine((day) => day >= from && day <= to, `must be between ${from} and ${to}`)
    .describe(`${description} (ISO 8601 date)`);

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
  const dateOnly = /^\d{4}-\d{2}-\d{2}$/.test(text);
  return new Date(hasOffset || dateOnly ? text : `${text}Z`);
}

/** Lists count no further than this: beyond it nobody needs the exact number, and counting would read every row. */
export const MAX_COUNTED = 10_000;

/** Where a list stands whose matches were counted up to one more than `most`. */
export function pageOf(counted: number, { limit, offset }: Window, most = MAX_COUNTED): Page {
  const isExact = counted <= most;
  return { total: Math.min(counted, most), limit, offset, ...(isExact ? {} : { total_is_exact: false }) };
}
