import type { LoadJob, LoadResult } from './load.ts';
import { LOAD_CORE, runScript } from './pinned.ts';
import type { RunningScript } from './pinned.ts';

export type { LoadResult } from './load.ts';

interface HttpRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** A form instead of a JSON body. Its `{value}` (see `LoadJob.follow`) counts as so many characters. */
  form?: Readonly<Record<string, string>>;
  valueLength?: number;
}

/** A request as it goes over the wire. A number `{n}` in it counts as the seven digits that it becomes. */
export function wireRequest(request: HttpRequest): string {
  const { method, path, headers = {}, valueLength = 0 } = request;
  const text = bodyText(request);
  const length = Buffer.byteLength(text.replaceAll('{n}', '1234567').replace('{value}', 'v'.repeat(valueLength)));
  const fields: Record<string, string> = { Host: '127.0.0.1', Accept: 'application/json', ...headers };
  if (text !== '') {
    fields['Content-Type'] = request.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    fields['Content-Length'] = String(length);
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

function bodyText({ body, form }: HttpRequest): string {
  if (form !== undefined) return new URLSearchParams(form).toString().replace('%7Bvalue%7D', '{value}');
  return body === undefined ? '' : JSON.stringify(body).replaceAll('"{n}"', '{n}');
}

/** The load generator in a process and on a core of its own. */
export class LoadClient {
  readonly #script: RunningScript;
  #firstNumber = 1_000_000;

  private constructor(script: RunningScript) {
    this.#script = script;
  }

  static async start(): Promise<LoadClient> {
    return new LoadClient(await runScript('bench/load.ts', { core: LOAD_CORE }));
  }

  async run(job: Omit<LoadJob, 'firstNumber'>): Promise<LoadResult> {
    const { child } = this.#script;
    const result = await new Promise<LoadResult>((resolve, reject) => {
      child.once('message', (message: { type: string; result: LoadResult; message: string }) => {
        if (message.type === 'result') resolve(message.result);
        else reject(new Error(`the load failed: ${message.message}`));
      });
      child.send({ ...job, firstNumber: this.#firstNumber });
    });
    this.#firstNumber += 600_000;
    if (this.#firstNumber > 9_300_000) this.#firstNumber = 1_000_000;
    if (result.failed > 0) {
      throw new Error(`${String(result.failed)} unexpected answers, the first:\n${result.firstFailure ?? ''}`);
    }
    return result;
  }

  stop(): Promise<void> {
    return this.#script.stop();
  }
}
