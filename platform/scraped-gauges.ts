import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Longer than this a scrape waits for nobody: the other metrics are wanted most when the database is away. */
const BUDGET_MS = 1_000;

/**
 * Gauges that one read sets together, whenever the metrics are scraped. A read that fails or takes too long leaves them
 * without a value, which a monitor can tell from 0.
 */
export function scrapedGauges<Name extends string>(
  registry: Registry,
  helpByName: Readonly<Record<Name, string>>,
  read: () => Promise<Readonly<Record<Name, number>>>,
): void {
  const names = Object.keys(helpByName) as Name[];
  let reading: Promise<Readonly<Record<Name, number>> | undefined> | undefined;
  for (const name of names) {
    new Gauge({
      name,
      help: helpByName[name],
      registers: [registry],
      async collect() {
        reading ??= withinBudget(read).finally(() => (reading = undefined));
        const values = await reading;
        if (values === undefined) this.reset();
        else this.set(values[name]);
      },
    });
  }
}

async function withinBudget<T>(read: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const outOfTime = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, BUDGET_MS);
  });
  try {
    return await Promise.race([read().catch(() => undefined), outOfTime]);
  } finally {
    clearTimeout(timer);
  }
}
