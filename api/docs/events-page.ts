import { EVENT_FAMILIES } from '../../domain/contracts/event-catalogue.ts';
import type { EventFamily } from '../../domain/contracts/event-catalogue.ts';
import { CUSTOM_EVENTS, EVENT_NAMES } from '../../domain/contracts/event-names.ts';
import type { JsonSchema } from '../../domain/contracts/json-schema.ts';
import { dataSchemaOf, descriptionOf, samplePayload } from '../../domain/webhooks/index.ts';

/** docs/events.md: every event, what its `data` holds, and a sample of each shape. */
export function eventsPage(): string {
  return [
    '# Events',
    `All ${String(EVENT_NAMES.length)} events that a webhook can subscribe to, the events of your own (\`${CUSTOM_EVENTS}\`), and the one that proves an endpoint.
Made from the catalogue by \`node api/docs/write-events.ts\`; a test fails when this file is out of date. \`GET /api/v1/event-types\` has the
JSON Schema and a sample of each; [the guide to webhooks](guides/webhooks.md) says how they arrive.`,
    ...EVENT_FAMILIES.map(section),
    '',
  ].join('\n\n');
}

function section(family: EventFamily): string {
  const { summary, events } = family;
  const [first = ''] = events;
  const sampled = first === CUSTOM_EVENTS ? 'custom.order.shipped' : first;
  const sample = JSON.stringify(samplePayload(sampled), null, 2);
  return [
    `## ${summary}`,
    table(
      ['event', 'happens when'],
      events.map((event) => [`\`${event}\``, descriptionOf(event) ?? '']),
    ),
    fieldsOf(first),
    `A sample of \`${sampled}\`:`,
    `\`\`\`json\n${sample}\n\`\`\``,
  ].join('\n\n');
}

/** The first two levels of `data`. */
function fieldsOf(event: string): string {
  const schema = dataSchemaOf(event) ?? {};
  const definitions = (schema['$defs'] ?? {}) as Record<string, JsonSchema>;
  const resolve = (inner: JsonSchema): JsonSchema =>
    typeof inner['$ref'] === 'string' ? (definitions[inner['$ref'].slice('#/$defs/'.length)] ?? inner) : inner;
  const { properties, required = [] } = schema;
  if (properties === undefined) return `\`data\`: ${schema.description ?? 'an object'}.`;
  const rows = Object.entries(properties).map(([name, property]) => {
    const target = resolve(property);
    const inner = Object.keys(target.properties ?? {}).map((key) => `\`${key}\``);
    const words = property.description ?? target.description;
    const held = inner.length > 0 ? inner.join(', ') : typeWords(target);
    return [`\`${name}\``, required.includes(name) ? 'yes' : 'no', words === undefined ? held : `${words}. ${held}`];
  });
  return table(['in `data`', 'always', 'holds'], rows);
}

function typeWords(schema: JsonSchema): string {
  const { type, const: constant, anyOf } = schema;
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(typeWords).join(' or ');
  return type ?? 'any value';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
