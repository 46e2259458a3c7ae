import { DocumentError } from '../errors.ts';
import type { PageBox, TrainingSample } from '../types.ts';
import type { Target } from './locate.ts';
import { isTableType, kindNamed } from './values.ts';
import type { CustomField, ModelDefinition, ValueKind } from './types.ts';

export interface PlainField {
  name: string;
  kind: ValueKind;
  required: boolean;
}

export interface TableField {
  name: string;
  columns: string[];
  required: boolean;
}

export interface CheckedDefinition {
  fields: PlainField[];
  tables: TableField[];
}

const LEAST_SAMPLES = 2;
const MOST_SAMPLES = 50;
const MOST_FIELDS = 100;
const MOST_COLUMNS = 30;
const LONGEST_NAME = 100;

const refusal = (field: string, message: string): DocumentError => new DocumentError('BAD_MODEL', message, field);

/** @throws DocumentError BAD_MODEL */
export function checkTraining(definition: ModelDefinition, samples: TrainingSample[]): CheckedDefinition {
  const { fields } = definition;
  if (fields.length === 0 || fields.length > MOST_FIELDS)
    throw refusal('fields', `A model has 1 to ${String(MOST_FIELDS)} fields, not ${String(fields.length)}.`);
  if (samples.length < LEAST_SAMPLES || samples.length > MOST_SAMPLES)
    throw refusal(
      'documents',
      `A model learns from ${String(LEAST_SAMPLES)} to ${String(MOST_SAMPLES)} samples, not ${String(samples.length)}.`,
    );
  const names = new Set<string>();
  for (const [index, { name }] of fields.entries()) {
    const at = `fields[${String(index)}].name`;
    if (name === '' || name.length > LONGEST_NAME)
      throw refusal(at, `A name has 1 to ${String(LONGEST_NAME)} letters.`);
    if (names.has(name)) throw refusal(at, `The field ${name} is defined twice.`);
    names.add(name);
  }
  const tables = fields.flatMap((field, index) => (isTable(field) ? [tableField(field, index)] : []));
  const plain = fields.flatMap((field, index) => (isTable(field) ? [] : [plainField(field, index)]));
  return { fields: plain, tables };
}

const isTable = ({ type, columns }: CustomField): boolean =>
  type === undefined ? columns !== undefined : isTableType(type);

function tableField({ name, columns, required }: CustomField, index: number): TableField {
  const at = `fields[${String(index)}].columns`;
  if (!columns || columns.length === 0 || columns.length > MOST_COLUMNS)
    throw refusal(at, `A table has 1 to ${String(MOST_COLUMNS)} columns.`);
  if (new Set(columns).size < columns.length) throw refusal(at, `A column of ${name} is named twice.`);
  return { name, columns, required: required === true };
}

function plainField({ name, type = 'text', required }: CustomField, index: number): PlainField {
  const kind = kindNamed(type);
  if (!kind) throw refusal(`fields[${String(index)}].type`, `"${type.slice(0, 40)}" is no type of a field.`);
  return { name, kind, required: required === true };
}

/** What a sample says of a field: undefined where it says nothing, a null value where the document has none. */
export function targetOf(sample: TrainingSample, name: string): Target | undefined {
  if (!Object.hasOwn(sample.annotations, name)) return undefined;
  const given = sample.annotations[name];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { value: given };
  const { value, bbox } = given as { value?: unknown; bbox?: unknown };
  return isBox(bbox) ? { value, bbox: { ...bbox, page: bbox.page ?? 1 } } : { value };
}

function isBox(box: unknown): box is Omit<PageBox, 'page'> & { page?: number } {
  if (typeof box !== 'object' || box === null) return false;
  const { x, y, width, height } = box as Record<string, unknown>;
  return [x, y, width, height].every((value) => typeof value === 'number' && Number.isFinite(value));
}
