import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { ExtractedField } from '../contracts/vision-corrections.ts';
import type { FieldKind, FieldKinds } from './document-fields.rules.ts';

const MAX_TEXT = 2_000;
const MAX_ENTRIES = 200;
const LINE_CELL = /^line_items\[(\d{1,4})\]\.([A-Za-z][A-Za-z0-9_]{0,63})$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** Cells that every line may have (decisions §9), beside the columns that were found. */
const LINE_COLUMNS: FieldKinds = {
  description: 'text',
  quantity: 'number',
  unit_price: 'number',
  total: 'number',
  gl_code: 'text',
};

/** A cell of a line; its place may not be known. */
type ExtractedCell = Omit<ExtractedField, 'bbox'> & { bbox?: ExtractedField['bbox'] | undefined };

/** A document of a result, as far as it can be corrected. */
export interface CorrectableDocument {
  fields: Record<string, ExtractedField>;
  /** Fields that were too doubtful to be answered, with their confidence. */
  left_out?: Record<string, number>;
  line_items?: Record<string, ExtractedCell>[];
}

export interface Correction {
  /** As the caller wrote it. */
  path: string;
  field: string;
  /** 0-based, of a cell of a line. */
  line?: number;
  value: unknown;
}

/** The corrections of a call, each checked against what the document can hold; throws with all that is wrong. */
export function readCorrections(
  corrections: Readonly<Record<string, unknown>>,
  document: CorrectableDocument,
  kinds: FieldKinds,
): Correction[] {
  const issues: FieldIssue[] = [];
  const read = Object.entries(corrections).flatMap(([path, value]) => {
    const problem = (issue: string): never[] => {
      issues.push({ field: `corrections.${path}`, issue });
      return [];
    };
    const place = placeOf(path, document, kinds);
    if (typeof place === 'string') return problem(place);
    const issue = value === null ? undefined : valueIssue(place.kind, value);
    if (issue !== undefined) return problem(issue);
    const { field, line } = place;
    return [{ path, field, value, ...(line === undefined ? {} : { line }) }];
  });
  if (issues.length > 0) throw ApiError.ofFields(issues.slice(0, 20));
  return read;
}

interface Place {
  field: string;
  line?: number;
  kind: FieldKind | undefined;
}

/** Where a correction goes, or why it can go nowhere. */
function placeOf(
  path: string,
  { fields, line_items: lines = [] }: CorrectableDocument,
  kinds: FieldKinds,
): Place | string {
  const cell = LINE_CELL.exec(path);
  if (cell === null) {
    const known = Object.hasOwn(kinds, path) ? kinds[path] : undefined;
    if (known !== undefined) return { field: path, kind: known };
    if (Object.hasOwn(fields, path)) return { field: path, kind: kindOf(fields[path]?.value) };
    return `is no field of this document; it can have ${listed(Object.keys({ ...kinds, ...fields }))}`;
  }
  const [, index, column = ''] = cell;
  const line = Number(index);
  const row = lines[line];
  if (row === undefined) return `the document has ${String(lines.length)} lines, counted from 0`;
  const known = Object.hasOwn(LINE_COLUMNS, column) ? LINE_COLUMNS[column] : undefined;
  if (known !== undefined) return { field: column, line, kind: known };
  if (Object.hasOwn(row, column)) return { field: column, line, kind: kindOf(row[column]?.value) };
  return `the line has no such column; it can have ${listed(Object.keys({ ...LINE_COLUMNS, ...row }))}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 30).join(', ');
  return names.length > 30 ? `${shown} and others` : shown;
}

/** Of a field that the type doesn't list, by what was extracted. */
function kindOf(value: unknown): FieldKind | undefined {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : undefined;
}

function valueIssue(kind: FieldKind | undefined, value: unknown): string | undefined {
  switch (kind) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number, without currency';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'date':
      return typeof value === 'string' && isDate(value) ? undefined : 'must be a date: YYYY-MM-DD';
    case 'time':
      return typeof value === 'string' && TIME.test(value) ? undefined : 'must be a time: HH:MM or HH:MM:SS';
    case 'currency':
      return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? undefined : 'must be an ISO 4217 code, e.g. ZAR';
    case 'list':
      return listIssue(value);
    default:
      return textIssue(value);
  }
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return year !== '' && date.toISOString().slice(0, 10) === text;
}

function textIssue(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (value.trim() === '') return 'must not be empty; use null where the document has no such field';
  return value.length > MAX_TEXT ? `must not be longer than ${String(MAX_TEXT)} characters` : undefined;
}

function listIssue(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  if (value.length > MAX_ENTRIES) return `must not have more than ${String(MAX_ENTRIES)} entries`;
  const wrong = value.findIndex((entry) => textIssue(entry) !== undefined);
  return wrong < 0 ? undefined : `entry ${String(wrong + 1)} ${String(textIssue(value[wrong]))}`;
}

/** The document with the corrections in it: each is certain, no longer left out, and beside it stays what was extracted. */
export function corrected<Document extends CorrectableDocument>(
  document: Document,
  corrections: readonly Correction[],
): Document {
  const fields = { ...document.fields };
  const lines = document.line_items?.map((row) => ({ ...row }));
  for (const { field, line, value } of corrections) {
    const target: Record<string, ExtractedCell> | undefined = line === undefined ? fields : lines?.[line];
    if (target !== undefined) target[field] = correctedValue(target[field], value);
  }
  const { left_out: leftOut } = document;
  const stillOut = leftOut && Object.entries(leftOut).filter(([name]) => !Object.hasOwn(fields, name));
  return {
    ...document,
    fields,
    ...(stillOut === undefined ? {} : { left_out: Object.fromEntries(stillOut) }),
    ...(lines === undefined ? {} : { line_items: lines }),
  };
}

function correctedValue(before: ExtractedCell | undefined, value: unknown): ExtractedField {
  const original = before?.corrected === true ? before.original_value : before?.value;
  return {
    ...before,
    bbox: before?.bbox ?? null,
    value,
    confidence: 1,
    corrected: true,
    ...(original === undefined ? {} : { original_value: original }),
  };
}

/** Field and value of what was corrected in a document, by all calls so far. */
export function correctionsOf({ fields }: CorrectableDocument): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { value, corrected: isCorrected }]) =>
      isCorrected === true ? [[name, value]] : [],
    ),
  );
}
