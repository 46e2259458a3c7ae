import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Upload } from '../domain/attachments/index.ts';
import type { Caller } from '../domain/contracts/caller.ts';
import type { Page } from '../domain/contracts/common.ts';
import type { ErrorCode } from '../domain/contracts/errors.ts';
import type { Quota, RatePolicy } from '../domain/limits/index.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import type { IdempotencyUse } from './http/request-context.ts';
import type { Services } from './services.ts';

/**
 * How a caller may prove who it is: `jwt` a user's bearer token, `api_key` the header X-API-Key, `bearer_key` an API key
 * as bearer token (Document AI), `oauth` an OAuth access token.
 */
export type AuthMethod = 'jwt' | 'api_key' | 'bearer_key' | 'oauth';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Where a REST operation is reached. Path parameters are written `{id}`, as the spec and OpenAPI write them. */
export interface Route {
  method: HttpMethod;
  /** Relative to the address of the API, beginning `/api/v1`. */
  path: string;
  /** Accepted in this order; empty: no authentication. */
  auth: readonly AuthMethod[];
  /** Names of the input's fields that come from the path; for GET and DELETE all others come from the query. */
  params?: readonly string[];
  /** Where there is a body: names of the input's fields that come from the query all the same. */
  query?: readonly string[];
  /** Success status: 201 for a create, 202 for accepted work, else 200. */
  status?: 200 | 201 | 202;
  /** What else a success may answer with (`Outcome.status`). */
  otherStatuses?: readonly (200 | 201 | 202)[];
  /** The one field of `data` that stands for all of it here: an action answers `{contacts: […]}`, its route `[…]`. */
  unwrap?: string;
  /** `flat` puts the fields of `data` at the top level (Document AI). */
  shape?: 'envelope' | 'flat';
  /** Which of the client's limits a request counts against. Default: `api`. */
  quota?: Quota;
  /** Largest body in bytes, where the usual 1 MiB doesn't do. */
  maxBodyBytes?: number;
  /**
   * `multipart`: one file in the field `file` of a multipart/form-data body, stored as it arrives and handed to `run` as
   * `upload`; the other form fields are the input.
   * `raw`: the operation (an open one) takes the bytes itself, as `raw`: who signs a body signs its bytes. The input is
   * what the path says; `bodies` are what it may be, for the documentation.
   */
  body?: 'json' | 'multipart' | 'raw';
  bodies?: readonly z.ZodType[];
  /** Headers that the operation reads itself (`OpenOperation.admit`), with what each is. */
  headers?: Readonly<Record<string, string>>;
  /** Headers that a request may carry, beside those of every route, with what each is. */
  optionalHeaders?: Readonly<Record<string, string>>;
  /**
   * `binary`: a success is the bytes of `Outcome.content`, not JSON. `empty`: it has no body, and a header `Location` says
   * where what was made is.
   */
  answers?: 'json' | 'binary' | 'empty';
}

/** What an operation does to the world: gives MCP its hints, and idempotency and audit their reach. */
export type Effects = 'read' | 'write' | 'destructive';

/** The bytes that a route with `answers: 'binary'` sends. */
export interface Content {
  fileName: string;
  mediaType: string;
  size: number;
  /** Names these very bytes; without quotes. */
  etag: string;
  /** Called only when they are wanted: not for HEAD, nor where the caller has them already. */
  open(): Promise<Readable>;
}

/** What a run hands back: the payload, top-level keys beside it, and for lists where the window stands. */
export interface Outcome<Data> {
  data: Data;
  extras?: Record<string, unknown>;
  pagination?: Page;
  /** What is sent in place of `data` where the route answers with bytes. */
  content?: Content;
  /** Overrides the route's status (a call that turned out to be asynchronous). */
  status?: number;
  headers?: Record<string, string>;
  /** The Document AI call whose result `data` shows: where that is erased, an answer kept for an Idempotency-Key is, too. */
  tellsOf?: string;
  /** What must have happened before the answer leaves, once the change is committed (a revocation reaching all processes). */
  afterCommit?: () => Promise<void>;
}

/** The end of an operation, announced (spec, "Versioning" 4 and 5; decisions §10). */
export interface Deprecation {
  /** ISO date from which the operation is deprecated; its sunset is twelve months later. */
  since: string;
  /** What to use instead, in words. */
  replacement: string;
  /** Path of the migration guide. */
  guide: string;
}

interface Declaration<Input extends z.ZodObject, Output extends z.ZodType> {
  /** The action's and the MCP tool's name; the OpenAPI operationId. */
  name: string;
  title: string;
  /** What it does, in words that let an AI agent choose it. */
  description: string;
  /** Groups operations in the reference. */
  area: string;
  /** Scopes of which the caller needs one; null where being authenticated is enough. */
  scopes: readonly string[] | null;
  input: Input;
  output: Output;
  /** Schemas of the top-level keys beside `data`. */
  extras?: Record<string, z.ZodType>;
  paginated?: boolean;
  effects: Effects;
  /** Doing it twice leaves things as doing it once does; reads need not say so. */
  idempotent?: true;
  /** Offered as an action (and so in batch, the tool catalogue and MCP). */
  action?: boolean;
  route?: Route;
  deprecation?: Deprecation;
  /** Codes it can answer beyond those that follow from its declaration. */
  errors?: readonly ErrorCode[];
}

/** Facts of the request that an operation may need beside its input. */
export interface RequestFacts {
  requestId: string;
  address: string | null;
  /** The dated version that the answer is given in. */
  version: string;
  /** Puts a header on the answer, whether it succeeds or not. */
  setHeader(name: string, value: string): void;
}

/** A call of an authenticated caller, whichever face of the API it came through. */
export interface Call {
  caller: Caller;
  services: Services;
  request: RequestFacts;
  idempotency?: IdempotencyUse | undefined;
  upload?: Upload | undefined;
}

export interface TenantContext {
  caller: Caller;
  tx: TenantTransaction;
  services: Services;
  request: RequestFacts;
  /** The file that came with the request, where the route's body is `multipart`. */
  upload?: Upload | undefined;
}

export interface DetachedContext {
  caller: Caller;
  services: Services;
  request: RequestFacts;
}

/** A request that its operation authenticates and reads itself. */
export interface RawRequest {
  /** In lower case; of a header that came twice, what Node makes of it. */
  headers: Readonly<Record<string, string>>;
  /** Throws RATE_LIMITED where the subject has used up its limit. */
  limit(subject: string, policy: RatePolicy): Promise<void>;
  /** The bytes of the body, of at most `maxBodyBytes`; UNSUPPORTED_MEDIA_TYPE where it says that it is no JSON. */
  read(): Promise<Buffer>;
}

export interface OpenContext {
  services: Services;
  request: RequestFacts;
  /** Where the route's body is `raw`. */
  raw?: RawRequest | undefined;
}

/** An operation whose whole effect is one transaction of the caller's tenant. */
export interface TenantOperation extends Declaration<z.ZodObject, z.ZodType> {
  unit: 'transaction';
  /**
   * Its run may share a transaction with others of the client: it only reads and inserts, and may be run again where the
   * first run was undone (`TenantDatabase.joined`).
   */
  joins?: boolean;
  run(context: TenantContext, input: never): Promise<Outcome<unknown>>;
}

/** An operation of an authenticated caller that manages its own transactions (it waits for a workflow). */
export interface DetachedOperation extends Declaration<z.ZodObject, z.ZodType> {
  unit: 'detached';
  /** A second run under the same request id joins the first instead of repeating it. */
  joinable?: boolean;
  run(context: DetachedContext, input: never): Promise<Outcome<unknown>>;
}

type Admit = (context: OpenContext, header: (name: string) => string | undefined) => void;

/** An operation that anyone may call (login), or whoever has what `admit` asks for. */
export interface OpenOperation extends Declaration<z.ZodObject, z.ZodType> {
  unit: 'open';
  /** Refuses who has not what it takes, before the body is read. */
  admit?: Admit;
  run(context: OpenContext, input: never): Promise<Outcome<unknown>>;
}

export type Operation = TenantOperation | DetachedOperation | OpenOperation;

type Run<Context, Input extends z.ZodObject, Output extends z.ZodType> = (
  context: Context,
  input: z.output<Input>,
) => Promise<Outcome<z.input<Output>>>;

/** Declares an operation once; the route, action, discovery, tools, MCP and OpenAPI faces are derived from it. */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Declaration<Input, Output> & { joins?: boolean; run: Run<TenantContext, Input, Output> },
): TenantOperation {
  return { ...declaration, unit: 'transaction' } as unknown as TenantOperation;
}

export function detachedOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Declaration<Input, Output> & { joinable?: boolean; run: Run<DetachedContext, Input, Output> },
): DetachedOperation {
  return { ...declaration, unit: 'detached' } as unknown as DetachedOperation;
}

export function openOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Declaration<Input, Output> & { admit?: Admit; run: Run<OpenContext, Input, Output> },
): OpenOperation {
  return { ...declaration, unit: 'open' } as unknown as OpenOperation;
}
