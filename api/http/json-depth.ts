const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON text, in bytes of UTF-8, nests arrays and objects more than `limit` levels deep. Without recursion, in one
 * pass that leaps over strings, so that a large document in base64 costs next to nothing.
 */
export function isDeeperThan(json: Uint8Array, limit: number): boolean {
  if (json.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > limit) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
  }
  return false;
}

/** Where the string that begins at `start` is closed, or the end of the text. */
function endOfString(json: Uint8Array, start: number): number {
  for (let from = start + 1; ;) {
    const quote = json.indexOf(QUOTE, from);
    if (quote === -1) return json.length;
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
