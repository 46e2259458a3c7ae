/** The error codes of RFC 6749 §5.2 and those that RFC 6750 adds for the resource side. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_token'
  | 'insufficient_scope';

/** A refusal in the words of the protocol. Its description never holds a secret. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  /** Set where the caller has failed too often: the answer is 429 then. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(description, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
