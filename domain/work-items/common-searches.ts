/** How long a search is taken to be as common as it was found to be. */
const REMEMBERED_MS = 300_000;
const MAX_REMEMBERED = 2_000;

interface Common {
  /** As a `tsquery`. */
  query: string;
  until: number;
}

/**
 * Searches that matched more items than are counted. To find that out, every one of their postings is read; while it is
 * remembered, the newest items are looked through instead, of which many match. Nothing an answer says depends on it but
 * that there are more than are counted.
 */
export class CommonSearches {
  readonly #known = new Map<string, Common>();

  get(clientId: number, search: readonly unknown[]): string | undefined {
    const known = this.#known.get(keyOf(clientId, search));
    return known !== undefined && known.until > performance.now() ? known.query : undefined;
  }

  add(clientId: number, search: readonly unknown[], query: string): void {
    const key = keyOf(clientId, search);
    this.#known.delete(key);
    this.#known.set(key, { query, until: performance.now() + REMEMBERED_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(clientId: number, search: readonly unknown[]): string {
  return JSON.stringify([clientId, ...search]);
}
