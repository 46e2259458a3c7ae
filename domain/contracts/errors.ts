/** The codes of the spec's error table, and those for what HTTP itself can get wrong, with the HTTP status of each. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  INVALID_ACTION: 400,
  UNAUTHORIZED: 401,
  TOKEN_EXPIRED: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  IP_NOT_ALLOWED: 403,
  SCOPE_REQUIRED: 403,
  TIER_RESTRICTED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  IDEMPOTENCY_CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_ENTITY: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What is wrong with one field: its JSON path (`lines[0].quantity`) and the problem in words. */
export interface FieldIssue {
  field: string;
  issue: string;
}

export interface ApiErrorOptions {
  details?: readonly FieldIssue[];
  retryAfterSeconds?: number;
  /** Path of the migration guide that a sunset operation leads to. */
  guide?: string;
  cause?: unknown;
}

/**
 * A refusal that the caller is meant to see. Domain services throw it; only the API turns it into an HTTP answer.
 * Its message never holds a secret, another tenant's data or a stack.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly FieldIssue[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly guide: string | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.guide = options.guide;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** Another client's record reads the same as one that never was. */
  static notFound(what: string, id: string | number): ApiError {
    return new ApiError('NOT_FOUND', `There is no ${what} ${String(id)}.`);
  }

  /** One or more fields that don't fit; the message names each. */
  static ofFields(
    details: readonly FieldIssue[],
    code: 'VALIDATION_ERROR' | 'BAD_REQUEST' = 'VALIDATION_ERROR',
  ): ApiError {
    return new ApiError(code, details.map(({ field, issue }) => `${field}: ${issue}`).join('; '), { details });
  }

  /** A well-typed value that the rules don't allow. */
  static invalid(field: string, issue: string): ApiError {
    return ApiError.ofFields([{ field, issue }]);
  }

  /** A missing or wrongly typed field. */
  static badRequest(field: string, issue: string): ApiError {
    return ApiError.ofFields([{ field, issue }], 'BAD_REQUEST');
  }

  static unprocessable(message: string, details?: readonly FieldIssue[]): ApiError {
    return new ApiError('UNPROCESSABLE_ENTITY', message, details === undefined ? {} : { details });
  }

  static tierRestricted(message: string): ApiError {
    return new ApiError('TIER_RESTRICTED', message);
  }
}
