/**
 * The fields without those that came to nothing, and lists without such entries: a placeholder alone that finds nothing is null.
 * A list of nothing else is left out as a whole, since an empty one would take away what is there.
 */
export function withoutGaps(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const filled = Array.isArray(value) ? value.filter((entry) => !isGap(entry)) : value;
      const isEmptied = Array.isArray(filled) && filled.length === 0 && Array.isArray(value) && value.length > 0;
      return isGap(filled) || isEmptied ? [] : [[name, filled]];
    }),
  );
}

function isGap(value: unknown): boolean {
  return value === null || value === undefined;
}
