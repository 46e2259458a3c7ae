import { EVENT_DESCRIPTIONS } from '../contracts/event-descriptions.ts';
import { cataloguedName, familyOf } from '../contracts/event-catalogue.ts';
import { financeTypeOfEvent } from '../contracts/event-names.ts';
import { exampleOf } from '../contracts/json-example.ts';
import { jsonSchemaOf } from '../contracts/json-schema.ts';
import type { JsonSchema } from '../contracts/json-schema.ts';
import { PAYLOAD_VERSION } from '../contracts/webhooks.ts';
import { SAMPLE_EXTRACTION, SAMPLE_RECORDS, sampleChanges } from './event-sample-records.ts';
import type { Payload } from './template.ts';

type Data = Record<string, unknown>;

const OCCURRED_AT = '2026-11-21T08:30:00.000Z';
const EVENT_ID = '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10';

/** The JSON Schema of an event's `data`; undefined for what is no event. */
export function dataSchemaOf(event: string): JsonSchema | undefined {
  const family = familyOf(event);
  return family === undefined ? undefined : memo(schemas, family.id, () => jsonSchemaOf(family.data, 'output'));
}

/** When an event happens, in words. */
export function descriptionOf(event: string): string | undefined {
  return EVENT_DESCRIPTIONS.get(cataloguedName(event));
}

/** The default payload of an event, with data as it may well be; undefined for what is no event. */
export function samplePayload(event: string): Payload | undefined {
  const schema = dataSchemaOf(event);
  if (schema === undefined) return undefined;
  return memo(samples, event, () => ({
    event,
    version: PAYLOAD_VERSION,
    timestamp: OCCURRED_AT,
    data: sampleData(event, schema),
    metadata: { client_id: 1, event_id: EVENT_ID, delivery_id: 1, webhook_id: 1 },
  }));
}

/** The contracts' own examples, made more telling by the records that are known here, and fitted to the event. */
function sampleData(event: string, schema: JsonSchema): Data {
  const definitions = (schema['$defs'] ?? {}) as Record<string, JsonSchema>;
  const resolve = ({ $ref, ...rest }: JsonSchema): JsonSchema =>
    typeof $ref === 'string' ? (definitions[$ref.slice('#/$defs/'.length)] ?? rest) : rest;
  const data = exampleOf(schema, resolve, { whole: true }) as Data;
  const told = Object.entries(data).map(([name, value]): [string, unknown] => {
    const record = SAMPLE_RECORDS[name];
    return [name, record !== undefined && typeof value === 'object' ? { ...value, ...record } : value];
  });
  return fitted(event, Object.fromEntries(told));
}

function fitted(event: string, data: Data): Data {
  const [area = '', ...rest] = event.split('.');
  const move = rest.join('.');
  const put = (name: string, fields: Data): void => {
    if (data[name] !== undefined) data[name] = { ...(data[name] as Data), ...fields };
  };
  if (data['changes'] !== undefined) data['changes'] = sampleChanges(event);
  if (area === 'attendance') put('log', { action: move });
  if (area === 'recurring_job' && move === 'paused')
    put('recurring_job', { status: 'paused', paused_at: OCCURRED_AT, next_occurrence_at: null });
  if (area === 'vision') Object.assign(data, { event }, event === 'vision.extract.completed' ? SAMPLE_EXTRACTION : {});
  if (event === 'vision.model.failed') {
    Object.assign(data, {
      status: 'failed',
      accuracy: null,
      error: { code: 'INTERNAL', message: 'Training broke off.' },
    });
  }
  if (event === 'payment.failed') put('payment', { status: 'failed', failure_reason: 'No funds' });
  if (event === 'payment.refunded') put('payment', { refunded_amount: 150, refunded_at: OCCURRED_AT });
  const documentType = financeTypeOfEvent(event);
  if (documentType !== undefined) fitDocument(put, documentType, move);
  else if (data['work_item'] !== undefined && !area.includes('_')) fitItem(put, area, move);
  return data;
}

type Put = (name: string, fields: Data) => void;

const NUMBER_PREFIX: Readonly<Record<string, string>> = {
  quote: 'QUO',
  invoice: 'INV',
  credit_note: 'CN',
  bill: 'BILL',
  purchase_order: 'PO',
  delivery_note: 'DN',
};

function fitDocument(put: Put, type: string, move: string): void {
  const isDraft = move === 'created' || move === 'updated';
  const number = isDraft ? null : `${NUMBER_PREFIX[type] ?? ''}-000001`;
  const issued = { document_number: number, issued_at: isDraft ? null : OCCURRED_AT };
  const status = isDraft ? 'draft' : move;
  const paid = move === 'paid' ? { amount_paid: 1164.38, amount_due: 0 } : {};
  put('document', { document_type: type, status, ...issued, ...paid });
  put('payment', { document_type: type });
}

function fitItem(put: Put, type: string, move: string): void {
  if (type === 'appointment') return;
  const fields = { item_type: type, item_number: `${type.toUpperCase()}-000001` };
  if (move === 'completed')
    put('work_item', { ...fields, status: 'completed', completed_at: OCCURRED_AT, closed_at: OCCURRED_AT });
  else put('work_item', { ...fields, status: move === 'status_changed' ? 'in_progress' : 'open' });
}

const schemas = new Map<string, JsonSchema>();
const samples = new Map<string, Payload>();
const MOST_KEPT = 500;

/** Custom names are without number, so no more than some are kept. */
function memo<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size < MOST_KEPT) kept.set(key, made);
  return made;
}
