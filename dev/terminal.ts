import { messageOf } from './errors.ts';

const BURST_LINES = 6;
const BURST_MS = 5_000;

/** What the person at the terminal sees. */
export class Terminal {
  readonly #write: (line: string) => void;
  readonly #bursts = new Map<string, { since: number; shown: number; withheld: number }>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  line(text = ''): void {
    this.#write(text);
  }

  /** One line for a step of the start, printed when it is done, with its time. */
  async step<T>(name: string, work: Promise<Timed<T>>, describe: (value: T) => string): Promise<T> {
    const { value, seconds } = await work;
    this.#write(`  ${name.padEnd(20)} ${`${seconds.toFixed(1)} s`.padStart(7)}   ${describe(value)}`);
    return value;
  }

  /** A line of a child process. A process that repeats itself is cut short: everything is in its log. */
  child(name: string, text: string, logFile: string): void {
    const now = Date.now();
    const burst = this.#bursts.get(name);
    if (burst === undefined || now - burst.since > BURST_MS) {
      if (burst !== undefined && burst.withheld > 0)
        this.#write(`[${name}] … ${String(burst.withheld)} more lines in ${logFile}`);
      this.#bursts.set(name, { since: now, shown: 1, withheld: 0 });
      this.#write(`[${name}] ${text}`);
    } else if (burst.shown < BURST_LINES) {
      burst.shown += 1;
      this.#write(`[${name}] ${text}`);
    } else {
      burst.withheld += 1;
    }
  }

  error(error: unknown): void {
    this.#write(messageOf(error));
  }
}

export interface Timed<T> {
  value: T;
  seconds: number;
}

/** Starts the work at once and measures it, so that steps can run side by side and still be printed in order. */
export async function timed<T>(work: () => T | Promise<T>): Promise<Timed<T>> {
  const started = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - started) / 1000 };
}

const SHOWN_LEVELS = new Set(['warn', 'error', 'fatal']);

/** The short form of a structured log line when it is a warning or worse; undefined for what is not shown. */
export function shortLogLine(line: string): string | undefined {
  const entry = parseEntry(line);
  if (entry === undefined) return undefined;
  const level = typeof entry['level'] === 'string' ? entry['level'].toLowerCase() : '';
  if (!SHOWN_LEVELS.has(level)) return undefined;
  const message = [textOf(entry['msg']), causeOf(entry['err'])].filter((part) => part !== '').join(': ');
  const about = ['request_id', 'workflow_id']
    .filter((name) => typeof entry[name] === 'string')
    .map((name) => `${name}=${textOf(entry[name])}`);
  return [`${level}:`, message, ...about].join(' ').slice(0, 400);
}

/** Whether a line is structured, as the platform's own processes write them. */
export function isLogEntry(line: string): boolean {
  return parseEntry(line) !== undefined;
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function causeOf(err: unknown): string {
  return typeof err === 'object' && err !== null && 'message' in err ? textOf(err.message) : textOf(err);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
