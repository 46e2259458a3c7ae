import type { Request } from 'express';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { actionAnswerName } from '../../api/adapters/openapi-public-data.ts';
import { contextOf } from '../../api/http/request-context.ts';
import { actions } from '../../api/registry.ts';
import { CURRENT_VERSION } from '../../api/versions.ts';
import { describedApi } from './described-api.ts';

interface DescribedResponse {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, unknown>;
}

type DescribedOperation = { responses: Record<string, DescribedResponse> } | undefined;

interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { responses: Record<string, DescribedResponse>; headers: Record<string, { required?: boolean }> };
}

/** An answer as it left the server. */
interface Answer {
  method: string;
  /** The path as the document writes it, or `unmatched`. */
  route: string;
  status: number;
  version: string;
  headers: Readonly<Record<string, unknown>>;
  body: string;
  /** The action that was called, at the action endpoint. */
  action: string | undefined;
}

const ACTION_ENDPOINT = '/api/v1/public/data';
const ROOT = 'openapi';

/** Pages and files, which the document leaves to themselves. */
const NOT_JSON = /^(text|image|font)\//;

/**
 * Holds every answer of a server against the OpenAPI document: its status and headers must be documented, its body must
 * fit the schema. What doesn't is gathered, for the end of the tests.
 */
export class AnswerValidator {
  readonly #document: Document;
  readonly #ajv: Ajv2020;
  readonly #violations = new Set<string>();

  constructor() {
    const document = describedApi();
    this.#document = document as unknown as Document;
    // Keywords of OpenAPI (`discriminator`) stand among those of JSON Schema.
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
    (formats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document, ROOT);
  }

  /** Reads along what the server answers to this request. To be called before the application sees it. */
  watch(req: IncomingMessage, res: ServerResponse): void {
    const asked: Buffer[] = [];
    const answered: Buffer[] = [];
    // Whoever reads the body, each chunk of it is emitted; a listener of our own would start the stream too early.
    const emit = req.emit.bind(req) as (event: string | symbol, ...given: unknown[]) => boolean;
    req.emit = (event: string | symbol, ...given: unknown[]) => {
      if (event === 'data') keep(asked, given[0]);
      return emit(event, ...given);
    };
    const write = res.write.bind(res) as (...sent: unknown[]) => boolean;
    const end = res.end.bind(res) as (...sent: unknown[]) => ServerResponse;
    res.write = (...sent: unknown[]) => {
      keep(answered, sent[0]);
      return write(...sent);
    };
    res.end = (...sent: unknown[]) => {
      keep(answered, sent[0]);
      return end(...sent);
    };
    res.once('finish', () => {
      const { route, version } = contextOf(req as Request);
      this.check({
        method: req.method ?? '',
        route,
        status: res.statusCode,
        version,
        headers: res.getHeaders(),
        body: opened(res, Buffer.concat(answered)).toString('utf8'),
        action: route === ACTION_ENDPOINT ? actionIn(Buffer.concat(asked)) : undefined,
      });
    });
  }

  check(answer: Answer): void {
    // A preflight: the document describes CORS in words.
    if (answer.method === 'OPTIONS') return;
    for (const problem of this.#problemsOf(answer))
      this.#violations.add(`${answer.method} ${answer.route} ${String(answer.status)}: ${problem}`);
  }

  get violations(): readonly string[] {
    return [...this.#violations];
  }

  /** Throws when an answer was not as documented. */
  expectNone(): void {
    if (this.#violations.size === 0) return;
    throw new Error(`Answers differ from the OpenAPI document:\n  ${this.violations.join('\n  ')}`);
  }

  #problemsOf(answer: Answer): string[] {
    const path = this.#document.paths[answer.route];
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    if (path === undefined) return this.#unlisted(answer);
    const operation = path[method];
    if (operation === undefined)
      return answer.status < 400 ? ['the method is not documented'] : this.#errorEnvelope(answer);
    const described = operation.responses[String(answer.status)];
    if (described === undefined) return ['the status is not documented'];
    const { response, pointer } = this.#resolved(described, [
      'paths',
      answer.route,
      method,
      'responses',
      String(answer.status),
    ]);
    return [...this.#headerProblems(answer, response), ...this.#bodyProblems(answer, response, pointer)];
  }

  /** A path that the document does not list may refuse, or be a page. */
  #unlisted(answer: Answer): string[] {
    if (answer.status >= 400 && !NOT_JSON.test(contentType(answer))) return this.#errorEnvelope(answer);
    return answer.route.startsWith('/api/') ? ['the path is not documented'] : [];
  }

  #errorEnvelope(answer: Answer): string[] {
    return answer.method === 'HEAD' ? [] : this.#against(['components', 'schemas', 'ErrorEnvelope'], answer.body);
  }

  #headerProblems({ headers }: Answer, response: DescribedResponse): string[] {
    const names = Object.entries(this.#document.components.headers);
    return names.flatMap(([name, { required = false }]) => {
      const isSent = headers[name.toLowerCase()] !== undefined;
      const isDocumented = response.headers?.[name] !== undefined;
      if (isSent && !isDocumented) return [`the header ${name} is not documented`];
      return !isSent && isDocumented && required ? [`the header ${name} is missing`] : [];
    });
  }

  #bodyProblems(answer: Answer, response: DescribedResponse, pointer: readonly string[]): string[] {
    if (answer.method === 'HEAD') return [];
    if (response.content === undefined) return answer.body === '' ? [] : ['a body is not documented'];
    const sent = contentType(answer).split(';')[0] ?? '';
    // Bytes of any kind, which are no answer of ours to describe.
    if (response.content['*/*'] !== undefined) return [];
    if (response.content[sent] === undefined) return [`the content type ${sent || '(none)'} is not documented`];
    if (sent !== 'application/json') return [];
    // The document describes the current version; what an older one is answered is the subject of its own tests.
    if (answer.status < 300 && answer.version !== CURRENT_VERSION) return [];
    const { action } = answer;
    if (answer.status === 200 && action !== undefined && actions.has(action))
      return this.#against(['components', 'schemas', actionAnswerName(action)], answer.body);
    return this.#against([...pointer, 'content', sent, 'schema'], answer.body);
  }

  #against(pointer: readonly string[], body: string): string[] {
    const validate = this.#validator(pointer);
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return ['the body is not JSON'];
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }

  #validator(pointer: readonly string[]): ValidateFunction {
    const fragment = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = this.#ajv.getSchema(`${ROOT}#/${fragment.join('/')}`);
    if (validate === undefined) throw new Error(`the document has nothing at ${pointer.join(' > ')}`);
    return validate;
  }

  #resolved(
    response: DescribedResponse,
    pointer: readonly string[],
  ): { response: DescribedResponse; pointer: readonly string[] } {
    const name = response.$ref?.split('/').at(-1);
    if (name === undefined) return { response, pointer };
    return { response: this.#document.components.responses[name] ?? {}, pointer: ['components', 'responses', name] };
  }
}

function keep(chunks: Buffer[], chunk: unknown): void {
  if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
  else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
}

/** The action that a body names; undefined when it is no JSON, or compressed. */
function actionIn(body: Buffer): string | undefined {
  try {
    const { action } = JSON.parse(body.toString('utf8')) as { action?: unknown };
    return typeof action === 'string' ? action : undefined;
  } catch {
    return undefined;
  }
}

function opened(res: ServerResponse, body: Buffer): Buffer {
  return res.getHeader('content-encoding') === 'gzip' ? gunzipSync(body) : body;
}

function contentType({ headers }: Answer): string {
  const value = headers['content-type'];
  return typeof value === 'string' ? value : '';
}
