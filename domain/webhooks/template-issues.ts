import { isEventName } from '../contracts/event-names.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import { issueWords } from '../contracts/issue-words.ts';
import { MAX_TEMPLATE_PATHS, PayloadTemplate } from '../contracts/payload-templates.ts';
import type { EventTemplate } from '../contracts/payload-templates.ts';
import { isPath, pathParts, placeholderPaths } from '../expressions/index.ts';

const MAX_TEMPLATE_BYTES = 65_536;
/** Levels of objects and arrays inside one `template`. */
const MAX_DEPTH = 10;
const MAX_PATH_PARTS = 20;

/**
 * What is wrong with a payload template, each at its exact field (`payload_template.per_event.job.created.fields[2]`);
 * empty for one that can be rendered whatever the payload. `field` is the name it was given by.
 */
export function templateIssues(template: unknown, field = 'payload_template'): FieldIssue[] {
  const parsed = PayloadTemplate.safeParse(template, { error: issueWords });
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => ({ field: at(field, path), issue: message }));
  }
  if (Buffer.byteLength(JSON.stringify(template)) > MAX_TEMPLATE_BYTES) {
    return [{ field, issue: `must not exceed ${String(MAX_TEMPLATE_BYTES)} bytes of JSON` }];
  }
  const { per_event: perEvent, mode, ...top } = parsed.data;
  const entries = Object.entries(perEvent ?? {});
  const own = mode === 'per_event' ? perEventIssues(entries.length, top, field) : configIssues({ ...top, mode }, field);
  return [...own, ...entries.flatMap(([event, config]) => entryIssues(event, config, `${field}.per_event.${event}`))];
}

function perEventIssues(entries: number, top: EventTemplate, field: string): FieldIssue[] {
  const missing = entries > 0 ? [] : [{ field: `${field}.per_event`, issue: 'is required with mode per_event' }];
  return [...missing, ...contentIssues(top, field)];
}

function entryIssues(event: string, config: EventTemplate, field: string): FieldIssue[] {
  if (!isEventName(event)) return [{ field, issue: `${JSON.stringify(event.slice(0, 100))} is not an event` }];
  return configIssues(config, field);
}

function configIssues(config: EventTemplate, field: string): FieldIssue[] {
  const { mode, fields, template } = config;
  const isGiven = (value: unknown): boolean => (value ?? null) !== null;
  // A list of fields that has no effect would send what its author meant to leave out.
  if (mode === undefined && (isGiven(fields) || isGiven(template))) {
    return [{ field: `${field}.mode`, issue: 'is required where fields or template is given' }];
  }
  if (mode === 'fields' && (fields ?? []).length === 0) {
    return [{ field: `${field}.fields`, issue: 'is required with mode fields' }];
  }
  if (mode === 'template' && !isGiven(template)) {
    return [{ field: `${field}.template`, issue: 'is required with mode template' }];
  }
  return contentIssues({ fields, template }, field);
}

function contentIssues({ fields, template }: Omit<EventTemplate, 'mode'>, field: string): FieldIssue[] {
  const ofFields = (fields ?? []).flatMap((path, index) => {
    const issue = pathIssue(path);
    return issue === undefined ? [] : [{ field: `${field}.fields[${String(index)}]`, issue }];
  });
  const count = { paths: 0 };
  const ofTemplate = bodyIssues(template ?? {}, `${field}.template`, 1, count);
  if (count.paths <= MAX_TEMPLATE_PATHS) return [...ofFields, ...ofTemplate];
  const tooMany = `must not hold more than ${String(MAX_TEMPLATE_PATHS)} placeholders`;
  return [...ofFields, ...ofTemplate, { field: `${field}.template`, issue: tooMany }];
}

function bodyIssues(node: unknown, field: string, depth: number, count: { paths: number }): FieldIssue[] {
  if (typeof node === 'string') {
    const paths = placeholderPaths(node);
    count.paths += paths.length;
    return paths.flatMap((path) => {
      const issue = pathIssue(path);
      return issue === undefined ? [] : [{ field, issue }];
    });
  }
  if (typeof node !== 'object' || node === null) return [];
  if (depth > MAX_DEPTH) return [{ field, issue: `must not be nested deeper than ${String(MAX_DEPTH)}` }];
  return Object.entries(node).flatMap(([key, inner]) =>
    bodyIssues(inner, at(field, [Array.isArray(node) ? Number(key) : key]), depth + 1, count),
  );
}

function pathIssue(path: string): string | undefined {
  const shown = JSON.stringify(path.slice(0, 100));
  if (!isPath(path)) return `${shown} is not a path such as data.work_item.title`;
  return pathParts(path).length > MAX_PATH_PARTS ? `${shown} has more than ${String(MAX_PATH_PARTS)} parts` : undefined;
}

function at(field: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${String(key)}]` : `${name}.${String(key)}`),
    field,
  );
}
