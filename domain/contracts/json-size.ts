import { ApiError } from './errors.ts';

/** Largest `custom_fields` of a record, as JSON text. */
export const MAX_CUSTOM_FIELDS_BYTES = 16_384;

/** Refuses a value that is too large as JSON text; what is left out has no size. */
export function checkJsonSize(field: string, value: unknown, maxBytes: number): void {
  if (value === undefined || Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return;
  throw ApiError.invalid(field, `must not exceed ${String(maxBytes)} bytes of JSON`);
}
