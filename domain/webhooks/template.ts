import type { EventTemplate, PayloadTemplate } from '../contracts/payload-templates.ts';
import { interpolate, pathParts, placeholderPaths, valueAt } from '../expressions/index.ts';

/** Largest body that a template makes, as JSON text. */
export const MAX_RENDERED_BYTES = 1_048_576;

/** The default payload (spec, "Events"), or what of it is known where none has been sent yet. */
export type Payload = Readonly<Record<string, unknown>>;

/** What is done to one event's payload. */
export type Shaping =
  | { mode: 'passthrough' }
  | { mode: 'fields'; fields: readonly string[] }
  | { mode: 'template'; template: Readonly<Record<string, unknown>> };

const PASSTHROUGH: Shaping = { mode: 'passthrough' };

/** What a template does to the payload of an event: its own entry in `per_event`, else the top level (spec, "Payload template"). */
export function shapingOf(template: PayloadTemplate | null, event: string): Shaping {
  if (template === null) return PASSTHROUGH;
  const perEvent = template.per_event ?? {};
  const own = Object.hasOwn(perEvent, event) ? perEvent[event] : undefined;
  if (own !== undefined) return shaping(own, own.mode ?? 'passthrough');
  const { mode = 'passthrough', fields, template: body } = template;
  if (mode !== 'per_event') return shaping(template, mode);
  // The top-level config of a map has no mode of its own: what it holds says it.
  if ((body ?? null) !== null) return shaping(template, 'template');
  return shaping(template, (fields ?? null) === null ? 'passthrough' : 'fields');
}

/**
 * The payload as a webhook gets it. Never fails: a template was checked when it was given. Where a template makes more
 * than {@link MAX_RENDERED_BYTES} of it, all but `data` is sent, with `truncated: true`: the event can then be read from
 * the event log, and nothing that the template would have left out is shown.
 */
export function renderPayload(payload: Payload, template: PayloadTemplate | null, event: string): Payload {
  return shapePayload(payload, shapingOf(template, event));
}

export function shapePayload(payload: Payload, shaping: Shaping): Payload {
  switch (shaping.mode) {
    case 'passthrough':
      return payload;
    case 'fields':
      return kept(payload, selectionOf(shaping.fields)) ?? {};
    case 'template': {
      if (wouldExceed(shaping.template, payload)) return withoutData(payload);
      const rendered = interpolate(shaping.template, payload) as Payload;
      return Buffer.byteLength(JSON.stringify(rendered)) > MAX_RENDERED_BYTES ? withoutData(payload) : rendered;
    }
  }
}

function shaping({ fields, template }: Omit<EventTemplate, 'mode'>, mode: Shaping['mode']): Shaping {
  if (mode === 'fields') return { mode, fields: fields ?? [] };
  return mode === 'template' ? { mode, template: template ?? {} } : PASSTHROUGH;
}

function withoutData({ data: _, ...rest }: Payload): Payload {
  return { ...rest, truncated: true };
}

/** The parts of paths as a tree; `all` is where a path ends. */
type Selection = Map<string, Selection> | 'all';

function selectionOf(paths: readonly string[]): Selection {
  const root: Selection = new Map();
  for (const path of paths) {
    let at = root;
    const parts = pathParts(path);
    for (const [index, part] of parts.entries()) {
      const next = at.get(part);
      if (next === 'all') break;
      if (index === parts.length - 1) at.set(part, 'all');
      else if (next === undefined) {
        const inner: Selection = new Map();
        at.set(part, inner);
        at = inner;
      } else at = next;
    }
  }
  return root;
}

/** What a selection finds in a value, nested and ordered as there; undefined where it finds nothing. Arrays close their gaps. */
function kept(value: unknown, selection: Selection): Payload | undefined {
  const found = part(value, selection);
  return found === undefined ? undefined : (found as Payload);
}

function part(value: unknown, selection: Selection): unknown {
  if (selection === 'all') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const found = Object.keys(value).flatMap((key): [string, unknown][] => {
    const inner = selection.get(key);
    const at = inner === undefined ? undefined : part((value as Record<string, unknown>)[key], inner);
    return at === undefined ? [] : [[key, at]];
  });
  if (found.length === 0) return undefined;
  return Array.isArray(value) ? found.map(([, at]) => at) : Object.fromEntries(found);
}

/** Whether the values filled in are too large in sum, found out before they are put together: a small template can repeat a large one. */
function wouldExceed(template: unknown, payload: Payload): boolean {
  const sizes = new Map<string, number>();
  let left = MAX_RENDERED_BYTES;
  const visit = (node: unknown): void => {
    if (left < 0) return;
    if (typeof node === 'string') {
      for (const path of placeholderPaths(node)) {
        let size = sizes.get(path);
        if (size === undefined) {
          size = (JSON.stringify(valueAt(payload, path)) as string | undefined)?.length ?? 0;
          sizes.set(path, size);
        }
        left -= size;
        if (left < 0) return;
      }
    } else if (typeof node === 'object' && node !== null) Object.values(node).forEach(visit);
  };
  visit(template);
  return left < 0;
}
