import { z } from 'zod';

/** A moment on the wire: ISO 8601 in UTC. */
export const Moment = z.iso.datetime().describe('ISO 8601, UTC').meta({ example: '2026-11-21T08:30:00.000Z' });

/** The largest id of a table whose key is a 32-bit integer. */
export const MAX_ID = 2_147_483_647;

/** Where a list stands within all that matches. */
export const Pagination = z
  .object({ total: z.int(), limit: z.int(), offset: z.int() })
  .describe('total that match, and the window returned')
  .meta({ id: 'Pagination' });
export type Page = z.output<typeof Pagination>;

/** A moment of the database on the wire. */
export function isoMoment(value: Date): string;
export function isoMoment(value: Date | null): string | null;
export function isoMoment(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}
