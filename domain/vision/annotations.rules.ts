import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { ModelFieldDefinition } from '../contracts/vision-models.ts';

const MAX_TEXT = 4_000;
const MAX_ROWS = 500;
const BOX_SIDES = ['x', 'y', 'width', 'height'] as const;

export type Annotations = Record<string, unknown>;

/**
 * Refuses annotations that training could make nothing of: of a field that the model has not, of the wrong shape, or none
 * at all. Whether a value stands in its document shows in training.
 */
export function checkAnnotations(fields: readonly ModelFieldDefinition[], samples: readonly Annotations[]): void {
  const issues = samples.flatMap((annotations, index) =>
    issuesOf(fields, annotations).map(({ field, issue }) => ({
      field: `documents[${String(index)}].annotations${field === '' ? '' : `.${field}`}`,
      issue,
    })),
  );
  if (issues.length > 0) throw ApiError.ofFields(issues.slice(0, 20));
}

function issuesOf(fields: readonly ModelFieldDefinition[], annotations: Annotations): FieldIssue[] {
  const entries = Object.entries(annotations);
  if (!entries.some(([, value]) => value !== null)) {
    return [{ field: '', issue: 'must say what is right for at least one field' }];
  }
  return entries.flatMap(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) {
      const known = fields.map((one) => one.name).slice(0, 20);
      return [{ field: name.slice(0, 100), issue: `is no field of the model; it has ${known.join(', ')}` }];
    }
    const issue = 'columns' in field ? tableIssue(field.columns, value) : valueIssue(value);
    return issue === undefined ? [] : [{ field: name, issue }];
  });
}

function valueIssue(value: unknown): string | undefined {
  if (!isObject(value)) return scalarIssue(value);
  const { value: inner, bbox, ...others } = value;
  if (!('value' in value)) return 'must be a value or {value, bbox}';
  const [other] = Object.keys(others);
  if (other !== undefined) return `must be a value or {value, bbox}, without ${other.slice(0, 50)}`;
  return scalarIssue(inner) ?? (bbox === undefined || bbox === null ? undefined : boxIssue(bbox));
}

function scalarIssue(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number';
  if (typeof value !== 'string') return 'must be a text, a number, true, false, null or {value, bbox}';
  if (value.trim() === '') return 'must not be empty; use null where the document has no such field';
  return value.length > MAX_TEXT ? `must not be longer than ${String(MAX_TEXT)} characters` : undefined;
}

function boxIssue(box: unknown): string | undefined {
  if (!isObject(box)) return 'bbox must be {x, y, width, height, page}';
  const isWrong = (side: string): boolean => typeof box[side] !== 'number' || !Number.isFinite(box[side]);
  if (BOX_SIDES.some(isWrong)) return 'bbox must have x, y, width and height, in pixels of the page';
  const { page } = box;
  if (page !== undefined && !(Number.isInteger(page) && (page as number) >= 1)) return 'bbox.page must be 1 or more';
  return undefined;
}

function tableIssue(columns: readonly string[], value: unknown): string | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return 'is a table: a list of rows {column: value}';
  if (value.length > MAX_ROWS) return `must not have more than ${String(MAX_ROWS)} rows`;
  for (const [index, row] of value.entries()) {
    if (!isObject(row)) return `row ${String(index + 1)} must be {column: value}`;
    for (const [name, cell] of Object.entries(row)) {
      if (!columns.includes(name)) return `row ${String(index + 1)}: the table has no column ${name.slice(0, 100)}`;
      const issue = valueIssue(cell);
      if (issue !== undefined) return `row ${String(index + 1)}, ${name}: ${issue}`;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
