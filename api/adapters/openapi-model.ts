import type { ErrorCode } from '../../domain/contracts/errors.ts';
import type { AuthMethod, Deprecation, HttpMethod } from '../operation.ts';
import type { JsonSchema } from './action-schema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  style?: string;
  explode?: boolean;
}

export interface Examples {
  [name: string]: { summary?: string; value: unknown };
}

interface Answer {
  description: string;
  /** None: an answer without a body. */
  schema?: JsonSchema;
  mediaType?: string;
  examples?: Examples;
}

/** What the document says of one method of one path, whatever part of the API it belongs to. */
export interface Endpoint {
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  method: HttpMethod;
  /** Accepted kinds of credential; empty: none is needed. */
  auth: readonly AuthMethod[];
  /** Its requests count against a limit even without a kind of `auth`. */
  limited?: boolean;
  /** Needs a scope beyond being authenticated. */
  scoped?: boolean;
  /** The scopes of which a caller needs one. */
  scopes?: readonly string[];
  /** Reads X-API-Version and the database; the health endpoints do neither. */
  versioned: boolean;
  parameters?: readonly Parameter[];
  /** `mediaTypes`: where the body may come in another form than JSON. */
  body?: { required: boolean; schema: JsonSchema; examples?: Examples; mediaTypes?: readonly string[] };
  answers: Readonly<Record<number, Answer>>;
  /** A success is bytes, with the headers of a download. */
  binary?: boolean;
  /** A success has no body; `Location` says where what was made is. */
  empty?: boolean;
  errors?: readonly ErrorCode[];
  /** Refusals are shown to people as pages, too. */
  pages?: boolean;
  /**
   * Of the operation itself; of the `action` that it runs; or of `inner actions`, whose end is told in the answer, not by 410.
   */
  deprecation?: Deprecation | 'action' | 'inner actions';
  /** Schemas that an error status may have beside the error envelope. */
  otherErrors?: Readonly<Record<number, JsonSchema>>;
}
