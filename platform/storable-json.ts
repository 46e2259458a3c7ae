/** How JSON.stringify writes what PostgreSQL's jsonb refuses: NUL, and half a surrogate pair. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** The text without NUL characters, and with U+FFFD for halves of surrogate pairs: PostgreSQL keeps neither. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * The JSON of a value whose texts come out of documents. A file's author decides which characters those are, and a cut in
 * the middle of a pair makes half of one: a result that can't be stored would be tried again for ever.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? storableText(inner) : inner));
}
