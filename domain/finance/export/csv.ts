import { stringify } from 'csv-stringify/sync';

/** A spreadsheet takes a text that begins so for a formula, and would run it (OWASP, "CSV Injection"). */
const FORMULA_START = /^[\s\u00A0]*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Rows as one RFC 4180 text with a heading line. What is no plain value is JSON; a text that could be a formula gets a ' . */
export function toCsv(columns: readonly string[], rows: readonly Record<string, unknown>[]): string {
  return stringify(
    rows.map((row) => columns.map((column) => cellOf(row[column]))),
    { header: true, columns: [...columns], record_delimiter: 'windows' },
  );
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return FORMULA_START.test(text) ? `'${text}` : text;
}
