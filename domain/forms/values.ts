import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../contracts/errors.ts';
import type { FormField } from '../contracts/forms.ts';

/** Largest file of a submission, decoded. */
const MAX_FILE_BYTES = 1_048_576;
const MAX_TEXT = 2_000;
const MAX_TEXTAREA = 20_000;

/** What a submission says: files stand in `data` by name, size and digest, their base64 beside it. */
export interface Filled {
  data: Record<string, unknown>;
  files: Record<string, string> | null;
}

interface Problem {
  field: string;
  issue: string;
  /** Missing or of the wrong type, as against well-typed and not allowed. */
  malformed: boolean;
}

const text = (max: number) => z.string().max(max, `must have at most ${String(max)} characters`);
const File = z.strictObject({
  file_name: text(255).min(1, 'must not be empty'),
  content_base64: z.base64('must be base64'),
});

/** What the values of a field must be; a list to choose from is checked apart. */
const SCHEMAS = {
  text: text(MAX_TEXT),
  textarea: text(MAX_TEXTAREA),
  number: z.number(),
  date: z.iso.date('must be a date such as 2026-11-21'),
  datetime: z.iso.datetime({
    offset: true,
    local: true,
    error: 'must be an ISO 8601 date and time such as 2026-11-21T08:30:00Z',
  }),
  email: z.email('must be an e-mail address').max(254, 'must have at most 254 characters'),
  phone: z.string().regex(/^(?=.*\d)\+?[\d\s()./-]{3,40}$/, 'must be a phone number'),
  select: z.string(),
  multiselect: z.array(z.string()).refine((chosen) => new Set(chosen).size === chosen.length, 'must not repeat any'),
  checkbox: z.boolean(),
  file: File,
} as const;

/** Checks the values against the form's fields. Blank ones count as left out; those that stay are in the form's order. */
export function fill(fields: readonly FormField[], values: Readonly<Record<string, unknown>>): Filled {
  const known = new Set(fields.map((field) => field.field_key));
  const given = fields.map((field) => ({ field, value: valueOf(values, field.field_key) }));
  const problems = [
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map((name): Problem => ({ field: `data.${name}`, issue: 'is not a field of the form', malformed: false })),
    ...given.flatMap(({ field, value }) => problemsOf(field, value)),
  ];
  if (problems.length > 0) {
    const details = problems.map(({ field, issue }) => ({ field, issue }));
    throw ApiError.ofFields(details, problems.some(({ malformed }) => malformed) ? 'BAD_REQUEST' : 'VALIDATION_ERROR');
  }
  return filled(given.filter(({ value }) => !isBlank(value)));
}

function valueOf(values: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function problemsOf({ field_key: key, field_type: type, is_required, options }: FormField, value: unknown): Problem[] {
  const at = `data.${key}`;
  if (isBlank(value)) return is_required ? [{ field: at, issue: 'is required', malformed: true }] : [];
  const parsed = SCHEMAS[type].safeParse(value);
  if (!parsed.success) return parsed.error.issues.map((issue) => problemOf(at, issue));
  if (type === 'file') return fileProblems(at, parsed.data as z.output<typeof File>);
  const chosen = type === 'select' ? [value as string] : type === 'multiselect' ? (value as string[]) : [];
  if (chosen.every((option) => options.includes(option))) return [];
  return [
    { field: at, issue: `must be ${type === 'select' ? 'one' : 'some'} of ${options.join(', ')}`, malformed: false },
  ];
}

function problemOf(at: string, issue: z.core.$ZodIssue): Problem {
  const field = [at, ...issue.path.map(String)].join('.');
  if (issue.code !== 'invalid_type') return { field, issue: issue.message, malformed: false };
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return { field, issue: `must be ${article} ${issue.expected}`, malformed: true };
}

function fileProblems(at: string, { content_base64 }: z.output<typeof File>): Problem[] {
  if (Buffer.byteLength(content_base64, 'base64') <= MAX_FILE_BYTES) return [];
  return [{ field: `${at}.content_base64`, issue: 'must hold at most 1 MiB', malformed: false }];
}

function filled(given: readonly { field: FormField; value: unknown }[]): Filled {
  const files = given.filter(({ field }) => field.field_type === 'file');
  const contentOf = (value: unknown): string => (value as z.output<typeof File>).content_base64;
  return {
    data: Object.fromEntries(
      given.map(({ field, value }) => [field.field_key, field.field_type === 'file' ? factsOf(value as never) : value]),
    ),
    files:
      files.length === 0
        ? null
        : Object.fromEntries(files.map(({ field, value }) => [field.field_key, contentOf(value)])),
  };
}

function factsOf({ file_name, content_base64 }: z.output<typeof File>): Record<string, unknown> {
  const bytes = Buffer.from(content_base64, 'base64');
  return { file_name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
