import { z } from 'zod';
import { ApiError } from '../domain/contracts/errors.ts';
import type { FieldIssue } from '../domain/contracts/errors.ts';
import { issueWords, typeWords } from '../domain/contracts/issue-words.ts';

/** Who has more to mend finds the rest the next time; a refusal is not to be larger than what it refuses. */
const MAX_DETAILS = 100;

/**
 * The checked input; BAD_REQUEST for missing and wrongly typed fields, VALIDATION_ERROR for values that don't fit. What
 * `isForOthers` is left to whoever takes it from there.
 */
export function validateInput<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  { isForOthers = () => false }: { isForOthers?: (path: readonly PropertyKey[]) => boolean } = {},
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueWords });
  const problems = parsed.success
    ? unstorable(value, { path: [], isForOthers })
    : lastOfEachKind(parsed.error.issues).flatMap((issue) => problemsOf(issue, schema, value));
  if (parsed.success && problems.length === 0) return parsed.data;
  const details = problems.slice(0, MAX_DETAILS).map(({ field, issue }) => ({ field, issue }));
  const code = problems.some((problem) => problem.malformed) ? 'BAD_REQUEST' : 'VALIDATION_ERROR';
  throw ApiError.ofFields(details, code);
}

/** A number too big for its field may be too big for an integer as well; the field's own bound, checked last, says more. */
function lastOfEachKind(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${jsonPath(issue.path)}`, issue])).values()];
}

interface Problem extends FieldIssue {
  /** Missing or of the wrong type, as against well-typed and not allowed. */
  malformed: boolean;
}

interface Place {
  path: readonly PropertyKey[];
  isForOthers: (path: readonly PropertyKey[]) => boolean;
}

/**
 * PostgreSQL keeps no NUL character in text and no half of a surrogate pair in JSON, in values and keys alike. A key
 * `__proto__` is one that programs drop on the way, ours among them: better refused than lost.
 */
function unstorable(value: unknown, { path, isForOthers }: Place): Problem[] {
  if (typeof value === 'string') {
    if (!value.includes('\0') && value.isWellFormed()) return [];
    return [problem(path, 'must not hold a NUL character or half a surrogate pair')];
  }
  if (typeof value !== 'object' || value === null || isForOthers(path)) return [];
  const at = (key: PropertyKey): Place => ({ path: [...path, key], isForOthers });
  if (Array.isArray(value)) return value.flatMap((inner, index) => unstorable(inner, at(index)));
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === '__proto__' ? [problem([...path, key], 'is a name that no field can have')] : []),
    ...unstorable(key, { path, isForOthers }),
    ...unstorable(inner, at(key)),
  ]);
}

function problem(path: readonly PropertyKey[], issue: string): Problem {
  return { field: jsonPath(path), issue, malformed: false };
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodObject, input: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_DETAILS).map((key) => ({
      field: jsonPath([...issue.path, key]),
      issue: unknownField(key, schema, issue.path),
      malformed: false,
    }));
  }
  const field = jsonPath(issue.path);
  if (issue.code !== 'invalid_type') {
    // A value of another type than an enum's or literal's strings is wrongly typed, not wrongly chosen.
    const value = valueAt(input, issue.path);
    const malformed =
      issue.code === 'invalid_value' && (value === undefined || typeof value !== typeof issue.values[0]);
    return [{ field, issue: value === undefined && malformed ? 'is required' : issue.message, malformed }];
  }
  const missing = valueAt(input, issue.path) === undefined;
  return [{ field, issue: missing ? 'is required' : typeWords(issue.expected), malformed: true }];
}

function unknownField(key: string, schema: z.ZodObject, path: readonly PropertyKey[]): string {
  const nearest = nearestName(key, fieldsAt(schema, path));
  return nearest === undefined ? 'is not a known field' : `is not a known field; did you mean ${nearest}?`;
}

/** The names of the fields that an object within the input may have. */
function fieldsAt(schema: z.ZodType, [name, ...rest]: readonly PropertyKey[]): string[] {
  const at = unwrapped(schema);
  if (at instanceof z.ZodArray) return name === undefined ? [] : fieldsAt(at.element as z.ZodType, rest);
  if (!(at instanceof z.ZodObject)) return [];
  const fields = at.shape as Record<string, z.ZodType>;
  if (name === undefined) return Object.keys(fields);
  const inner = fields[String(name)];
  return inner === undefined ? [] : fieldsAt(inner, rest);
}

/** What is under optional, default and nullable wrappers. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let at: z.ZodType = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodNullable) {
    at = at.unwrap() as z.ZodType;
  }
  return at;
}

/** `lines[0].quantity` of ['lines', 0, 'quantity']; the whole body is `body`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>(
    (done, part) =>
      typeof part === 'number' ? `${done}[${String(part)}]` : `${done}${done === '' ? '' : '.'}${String(part)}`,
    '',
  );
  return text === '' ? 'body' : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown> | null | undefined)?.[part], value);
}

/** How many edits a name may be away from the one that was meant. */
const MAX_EDITS = 3;

/**
 * The known name that `name` was most likely meant to be: at most three edits, and at most half its letters, away. How a
 * program writes its names (`workItemId`, `work_item_id`, `work-item-id`) is no difference.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = lettersOf(name);
  const ranked = known
    .map((candidate) => ({ candidate, letters: lettersOf(candidate) }))
    // Compared are only names of about one length: one of a megabyte would take seconds.
    .filter(({ letters }) => Math.abs(letters.length - wanted.length) <= MAX_EDITS)
    .map(({ candidate, letters }) => ({ candidate, distance: editDistance(wanted, letters) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const most = Math.min(MAX_EDITS, Math.floor(wanted.length / 2));
  return best !== undefined && best.distance <= most ? best.candidate : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, substitution));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
