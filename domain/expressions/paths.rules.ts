/** Names that lead out of plain data; as a path's part they find nothing (decisions §7, "Templates"). */
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);

/** The parts of a dot path with array indexes: `data.items.0.sku`. */
export function pathParts(path: string): string[] {
  return path.trim().split('.');
}

/** Whether a text is a path that may find something: parts of letters, digits, `_` and `-`, none of them forbidden. */
export function isPath(path: string): boolean {
  return pathParts(path).every((part) => /^[\w-]{1,100}$/.test(part) && !FORBIDDEN.has(part));
}

/** What stands at a path, or undefined. Only an object's own fields and an array's elements are found. */
export function valueAt(data: unknown, path: string): unknown {
  let at = data;
  for (const part of pathParts(path)) {
    if (typeof at !== 'object' || at === null || FORBIDDEN.has(part) || !Object.hasOwn(at, part)) return undefined;
    if (Array.isArray(at) && !/^\d+$/.test(part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}
