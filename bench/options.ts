import { parseArgs } from 'node:util';

export interface BenchOptions {
  area: string;
  /** Length of one measured run. */
  seconds: number;
  warmupSeconds: number;
  /** Whether each measurement waits for an idle machine. */
  isQuiet: boolean;
  /** Whether `api` is measured with the rate limiter on. */
  isLimited: boolean;
  /** Rounds over all rows; a row's figure is the median of its rounds. */
  runs: number;
  connections: number;
  /** Only rows whose name contains this text. */
  only: string;
  /** Folder for CPU profiles of the API; undefined without --profile. */
  profileDir: string | undefined;
  /** Events of the webhooks' burst, and seconds of its light load. */
  events: number;
  lightSeconds: number;
  /** Minutes of the webhooks' load with failing endpoints. */
  minutes: number;
  /** Whether the long rows are shortened or left out. */
  isQuick: boolean;
  /** Receipts that `vision` reads. */
  receipts: number;
  /** Pages that `vision` has its documents workers read, one worker and then two. */
  pages: number;
}

export const USAGE = `npm run bench <area> [-- options]

  api        requests/s of the API's paths beside bare Express and Express + pg
  data       get, list, create and batch beside Express + pg, and lists and searches of a million work items
  deliveries the delivery and event logs over 10 million deliveries, and their upkeep beside new ones (--quick: 500,000)
  documents  what the document engine reads right of shared/data, beside the goals (DOCUMENTS_CACHE: folder of read words)
  oauth      grants of the token endpoint beside node-oidc-provider's
  webhooks   accepted and delivered events/s, and the time from accepted to arrival
  vision     seconds a page through the API beside the engine called directly

  --seconds 10 --runs 3 --warmup 3 --connections 32   (--quick: 3, 1, 1)
  --quiet          waits before each measurement, a minute at most, until the machine is idle
  --no-limiter     api without the rate limiter, to see what it costs
  --only NAME      only the rows whose name contains NAME
  --profile DIR    writes a CPU profile of the API there
  --events 2000 --light-seconds 60 --minutes 5        (--quick: 2000, 10, 0.25)
  webhooks --only burst,fanout,latency,retry,cost,memory,failing,isolation,hung,kill   any of them
  --receipts 20 --pages 60                            (--quick: 8, 10; vision --only api|scale: one of its parts)`;

/** Options of `npm run bench`, or undefined when they make no sense. */
export function readOptions(argv: readonly string[]): BenchOptions | undefined {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      'no-limiter': { type: 'boolean', default: false },
      seconds: text,
      runs: text,
      warmup: text,
      connections: text,
      only: text,
      profile: text,
      events: text,
      'light-seconds': text,
      minutes: text,
      receipts: text,
      pages: text,
    },
  });
  const [area] = positionals;
  if (area === undefined || positionals.length > 1) return undefined;
  const number = (given: string | undefined, full: number, quick: number): number => {
    const value = given === undefined ? (values.quick ? quick : full) : Number(given);
    if (!(value > 0)) throw new Error(`not a number above 0: ${String(given)}`);
    return value;
  };
  return {
    area,
    isQuiet: values.quiet,
    isLimited: !values['no-limiter'],
    seconds: number(values.seconds, 10, 3),
    warmupSeconds: number(values.warmup, 3, 1),
    runs: number(values.runs, 3, 1),
    connections: number(values.connections, 32, 32),
    only: values.only ?? '',
    profileDir: values.profile,
    events: number(values.events, 2_000, 2_000),
    lightSeconds: number(values['light-seconds'], 60, 10),
    minutes: number(values.minutes, 5, 0.25),
    isQuick: values.quick,
    receipts: number(values.receipts, 20, 8),
    pages: number(values.pages, 60, 10),
  };
}
