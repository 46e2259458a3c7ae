const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether JSON text that has arrived whole nests arrays and objects more than `limit` levels deep. */
export function isDeeperThan(json: Uint8Array, limit: number): boolean {
  return new JsonDepth().goesBelow(limit, json);
}

/**
 * How deep JSON text nests arrays and objects, told while its bytes (of UTF-8) arrive: a hostile body is seen through at
 * its first levels, not at its end. One pass that leaps over strings, so that a large document in base64 costs next to
 * nothing.
 */
export class JsonDepth {
  #depth = 0;
  #isInString = false;
  /** Backslashes with which the part before ended, where that was inside a string. */
  #backslashes = 0;

  /** Takes the next part; answers whether the text has come to nest deeper than `limit` levels. */
  goesBelow(limit: number, part: Uint8Array): boolean {
    for (let at = this.#isInString ? this.#endOfString(part, 0) + 1 : 0; at < part.length; at += 1) {
      switch (part[at]) {
        case QUOTE:
          this.#isInString = true;
          at = this.#endOfString(part, at + 1);
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.#depth += 1;
          if (this.#depth > limit) return true;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth -= 1;
          break;
        default:
      }
    }
    return false;
  }

  /** Where the string that goes on at `start` is closed; the part's length where it isn't. */
  #endOfString(part: Uint8Array, start: number): number {
    for (let from = start; ;) {
      const quote = part.indexOf(QUOTE, from);
      const end = quote === -1 ? part.length : quote;
      let backslashes = 0;
      while (end - 1 - backslashes >= start && part[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
      if (end - backslashes === start) backslashes += this.#backslashes;
      if (quote === -1) {
        this.#backslashes = backslashes;
        return part.length;
      }
      if (backslashes % 2 === 0) {
        this.#isInString = false;
        this.#backslashes = 0;
        return quote;
      }
      from = quote + 1;
    }
  }
}
