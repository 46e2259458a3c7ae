import { isPath, valueAt } from './paths.rules.ts';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const ALONE = /^\s*\{\{([^{}]*)\}\}\s*$/;

/**
 * A JSON value with each `{{ path }}` in its strings filled in from `data` (decisions §7, "Templates"): alone in a string
 * it keeps the value's type (null where there is none), inside a text it is written out (empty where there is none).
 */
export function interpolate(template: unknown, data: unknown): unknown {
  if (typeof template === 'string') return fill(template, data);
  if (Array.isArray(template)) return template.map((inner) => interpolate(inner, data));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, inner]) => [key, interpolate(inner, data)]));
}

/** The placeholders of a template that are no paths, as they stand there. */
export function brokenPlaceholders(template: unknown): string[] {
  if (typeof template === 'string') {
    return [...template.matchAll(PLACEHOLDER)]
      .filter(([, path = '']) => !isPath(path))
      .map(([placeholder]) => placeholder);
  }
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap(brokenPlaceholders);
}

/** The paths in the placeholders of a text, in their order; one that stands there twice is named twice. */
export function placeholderPaths(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, path = '']) => path.trim());
}

/** Whether a value is decided only when it is filled in. */
export function hasPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.search(PLACEHOLDER) !== -1;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasPlaceholder);
}

function fill(text: string, data: unknown): unknown {
  const alone = ALONE.exec(text)?.[1];
  if (alone !== undefined) return valueAt(data, alone) ?? null;
  return text.replaceAll(PLACEHOLDER, (_, path: string) => written(valueAt(data, path)));
}

function written(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
