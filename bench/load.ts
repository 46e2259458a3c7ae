import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { quantile } from './statistics.ts';

/** One load: `connections` keep-alive connections, each with one request under way, for `seconds` after a warm-up. */
export interface LoadJob {
  port: number;
  connections: number;
  warmupSeconds: number;
  seconds: number;
  /** Whole requests as they go over the wire, taken in turn; `{n}` becomes a number of seven digits, never the same. */
  requests: readonly string[];
  expectedStatus: number;
  /** Another status that is no failure, and isn't counted. */
  toleratedStatus?: number | undefined;
  /** Number that the first `{n}` gets, so that two loads share none. */
  firstNumber: number;
  /**
   * For requests that need something of the answer before (a rotating token): each connection puts its own value where
   * `{value}` stands and takes the next from the answer, by the first group of `pattern`. `first` has one per connection.
   */
  follow?: { pattern: string; first: readonly string[] };
}

export interface LoadResult {
  requestsPerSecond: number;
  p50: number;
  p95: number;
  p99: number;
  requests: number;
  /** All answers, warm-up included. */
  answered: number;
  /** Answers of another status than expected, warm-up included. */
  failed: number;
  firstFailure: string | undefined;
  /** The values that the connections ended with: what the next load of the kind begins with. */
  followed: readonly string[];
}

const PLACEHOLDER = '{n}';
const FOLLOWED = '{value}';
const HEAD_END = Buffer.from('\r\n\r\n');

/** A request that is cut at its placeholders once, so that sending it costs next to nothing. */
type Template = readonly string[];

class Load {
  readonly #job: LoadJob;
  readonly #templates: readonly Template[];
  readonly #latencies: number[] = [];
  #turn = 0;
  #number: number;
  #measureFrom = 0;
  #until = 0;
  #answered = 0;
  #failed = 0;
  #firstFailure: string | undefined;
  readonly #followed: string[];
  readonly #pattern: RegExp | undefined;

  constructor(job: LoadJob) {
    this.#job = job;
    this.#number = job.firstNumber;
    this.#templates = job.requests.map((request) => request.split(PLACEHOLDER));
    this.#followed = [...(job.follow?.first ?? [])];
    this.#pattern = job.follow === undefined ? undefined : new RegExp(job.follow.pattern);
  }

  async run(): Promise<LoadResult> {
    const { connections, warmupSeconds, seconds } = this.#job;
    this.#measureFrom = performance.now() + warmupSeconds * 1_000;
    this.#until = this.#measureFrom + seconds * 1_000;
    await Promise.all(Array.from({ length: connections }, (_, lane) => this.#lane(lane)));
    const latencies = Float64Array.from(this.#latencies);
    return {
      requestsPerSecond: latencies.length / seconds,
      p50: quantile(latencies, 0.5),
      p95: quantile(latencies, 0.95),
      p99: quantile(latencies, 0.99),
      requests: latencies.length,
      answered: this.#answered,
      failed: this.#failed,
      firstFailure: this.#firstFailure,
      followed: this.#followed,
    };
  }

  #next(lane: number): string {
    const request = this.#nextTemplate();
    return this.#pattern === undefined ? request : request.replace(FOLLOWED, this.#followed[lane] ?? '');
  }

  #nextTemplate(): string {
    const template = this.#templates[this.#turn++ % this.#templates.length] ?? [''];
    return template.length === 1 ? (template[0] ?? '') : template.join(String(this.#number++));
  }

  #lane(lane: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: this.#job.port, noDelay: true });
      let sentAt = 0;
      const send = (): void => {
        sentAt = performance.now();
        socket.write(this.#next(lane));
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => {
        reject(new Error('the server closed a keep-alive connection'));
      });
      onAnswers(socket, (status, text) => {
        const now = performance.now();
        this.#answered += 1;
        if (status === this.#job.toleratedStatus) {
          // Neither measured nor wrong.
        } else if (status !== this.#job.expectedStatus) {
          this.#failed += 1;
          this.#firstFailure ??= text().slice(0, 600);
        } else if (now >= this.#measureFrom && now <= this.#until) this.#latencies.push(now - sentAt);
        if (this.#pattern !== undefined) this.#followed[lane] = this.#pattern.exec(text())?.[1] ?? '';
        if (now < this.#until) send();
        else {
          socket.removeAllListeners('close');
          socket.destroy();
          resolve();
        }
      });
    });
  }
}

/** Finds the end of each answer by its Content-Length: as little work as can be, so that the load isn't the limit. */
function onAnswers(socket: Socket, answered: (status: number, text: () => string) => void): void {
  let pending: Buffer | undefined;
  let missing = Infinity;
  socket.on('data', (chunk) => {
    // A long answer comes in many chunks; they are joined once its end is known to be here.
    missing -= chunk.length;
    const bytes = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
    pending = bytes;
    if (missing > 0 && missing !== Infinity) return;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      socket.destroy(new Error(`an answer without Content-Length:\n${head}`));
      return;
    }
    missing = headEnd + HEAD_END.length + Number(length) - bytes.length;
    if (missing > 0) return;
    pending = undefined;
    missing = Infinity;
    answered(Number(head.slice(9, 12)), () => bytes.toString('utf8'));
  });
}

process.on('message', (job: LoadJob) => {
  new Load(job).run().then(
    (result) => process.send?.({ type: 'result', result }),
    (error: unknown) => process.send?.({ type: 'failed', message: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready' });
