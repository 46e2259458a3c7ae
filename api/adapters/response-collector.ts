interface Reference {
  $ref: string;
}

/** Gathers equal error responses under `components.responses`: `Error404`, and `Error404-2` for one that differs. */
export class ResponseCollector {
  readonly #names = new Map<string, string>();
  readonly #components: Record<string, unknown> = {};

  use(status: number, response: Record<string, unknown>): Reference {
    const key = JSON.stringify([status, response]);
    const name = this.#names.get(key) ?? this.#freeName(status);
    this.#names.set(key, name);
    this.#components[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  components(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#components).sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
    );
  }

  #freeName(status: number): string {
    const base = `Error${String(status)}`;
    if (!Object.hasOwn(this.#components, base)) return base;
    let count = 2;
    while (Object.hasOwn(this.#components, `${base}-${String(count)}`)) count += 1;
    return `${base}-${String(count)}`;
  }
}
