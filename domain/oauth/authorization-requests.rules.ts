/** The part of an application that its authorization requests are held against. */
export interface RequestingApplication {
  scopes: readonly string[];
  defaultScopes: readonly string[];
  grantTypes: readonly string[];
}

/** A request that was found right, as it is kept until the user has decided. */
export interface AuthorizationParameters {
  redirect_uri: string;
  scopes: string[];
  state: string | null;
  nonce: string | null;
  code_challenge: string;
  prompts: string[];
  /** Seconds that the sign-in may lie back; null where it doesn't matter. */
  max_age: number | null;
  login_hint: string | null;
}

/** Errors of RFC 6749 §4.1.2.1 and OpenID Connect Core §3.1.2.6 that the application is told by redirect. */
export type AuthorizationError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'login_required'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/** What the application is told in place of a code. */
export class AuthorizationRefusal extends Error {
  override readonly name = 'AuthorizationRefusal';
  readonly error: AuthorizationError;

  /** `description` is within the characters that RFC 6749 §4.1.2.1 allows: it never repeats what was sent. */
  constructor(error: AuthorizationError, description: string) {
    super(description);
    this.error = error;
  }
}

/** The parameters of a query: a parameter without a value counts as left out (RFC 6749 §3.1). */
export class RequestParameters {
  readonly #values = new Map<string, string>();
  readonly #repeated = new Set<string>();

  constructor(pairs: Iterable<readonly [string, string]>) {
    for (const [name, value] of pairs) {
      if (value === '') continue;
      if (this.#values.has(name)) this.#repeated.add(name);
      this.#values.set(name, value);
    }
  }

  /** The value, where there is exactly one. */
  get(name: string): string | undefined {
    return this.#repeated.has(name) ? undefined : this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get repeated(): ReadonlySet<string> {
    return this.#repeated;
  }
}

const MAX_STATE = 2048;
const MAX_NONCE = 512;
const MAX_HINT = 254;
/** Control characters mean nothing in these values; U+FFFD stands for bytes that were no UTF-8 and can't be returned unchanged. */
const UNPRINTABLE = /[\p{Cc}\uFFFD]/u;
/** BASE64URL of a SHA-256 has 43 characters; RFC 7636 §4.2 allows up to 128. */
const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43,128}$/;
const MAX_AGE = /^\d{1,9}$/;
const PROMPTS = new Set(['none', 'login', 'consent', 'select_account']);
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;

/** Whether an answer may go to `uri`: exactly as registered, except that on loopback any port does (RFC 8252 §7.3). */
export function isRegisteredRedirect(uri: string, registered: readonly string[]): boolean {
  const portless = withoutLoopbackPort(uri);
  return registered.some(
    (known) => known === uri || (portless !== undefined && withoutLoopbackPort(known) === portless),
  );
}

function withoutLoopbackPort(uri: string): string | undefined {
  const match = LOOPBACK.exec(uri);
  const port = /^http:\/\/[^/?]*?:(\d+)(?:[/?]|$)/.exec(uri)?.[1];
  if (match === null || (port !== undefined && Number(port) > 65_535)) return undefined;
  return `${match[1] ?? ''}${match[2] ?? ''}`;
}

/** The `state` to return with an answer, errors included; undefined where it can't be returned as it came. */
export function stateOf(parameters: RequestParameters): string | undefined {
  const state = parameters.get('state');
  return state === undefined || state.length > MAX_STATE || UNPRINTABLE.test(state) ? undefined : state;
}

/** Checks everything but who asks and where the answer goes, which must have been found right before. */
export function checkRequest(
  parameters: RequestParameters,
  application: RequestingApplication,
  redirectUri: string,
): AuthorizationParameters {
  checkRepetition(parameters);
  checkUnsupported(parameters, application);
  return {
    redirect_uri: redirectUri,
    state: text(parameters, 'state', MAX_STATE),
    nonce: text(parameters, 'nonce', MAX_NONCE),
    login_hint: text(parameters, 'login_hint', MAX_HINT),
    code_challenge: codeChallenge(parameters),
    scopes: requestedScopes(parameters, application),
    prompts: prompts(parameters),
    max_age: maxAge(parameters),
  };
}

function checkRepetition({ repeated }: RequestParameters): void {
  if (repeated.size === 0) return;
  const known = [...repeated].filter((name) => /^[a-z_]{1,40}$/.test(name));
  const names = known.length === 0 ? 'A parameter' : `The parameter ${known.join(', ')}`;
  throw new AuthorizationRefusal('invalid_request', `${names} was sent more than once.`);
}

function checkUnsupported(parameters: RequestParameters, application: RequestingApplication): void {
  const responseType = parameters.get('response_type');
  if (responseType === undefined)
    throw new AuthorizationRefusal('invalid_request', 'The parameter response_type is missing; it must be code.');
  if (responseType !== 'code')
    throw new AuthorizationRefusal('unsupported_response_type', 'The response_type must be code.');
  if (!application.grantTypes.includes('authorization_code'))
    throw new AuthorizationRefusal(
      'unauthorized_client',
      'This application is not registered for the authorization_code grant.',
    );
  for (const name of ['request', 'request_uri', 'registration'] as const) {
    if (parameters.has(name))
      throw new AuthorizationRefusal(`${name}_not_supported`, `The parameter ${name} is not supported.`);
  }
  const mode = parameters.get('response_mode');
  if (mode !== undefined && mode !== 'query')
    throw new AuthorizationRefusal('invalid_request', 'The response_mode must be query.');
}

function codeChallenge(parameters: RequestParameters): string {
  const challenge = parameters.get('code_challenge');
  if (challenge === undefined)
    throw new AuthorizationRefusal('invalid_request', 'The parameter code_challenge is missing: PKCE is required.');
  if (!CODE_CHALLENGE.test(challenge))
    throw new AuthorizationRefusal('invalid_request', 'The code_challenge must be 43 to 128 characters of base64url.');
  if (parameters.get('code_challenge_method') !== 'S256')
    throw new AuthorizationRefusal('invalid_request', 'The code_challenge_method must be S256.');
  return challenge;
}

function requestedScopes(parameters: RequestParameters, application: RequestingApplication): string[] {
  const asked = parameters.get('scope');
  const scopes = asked === undefined ? application.defaultScopes : asked.split(' ').filter((scope) => scope !== '');
  if (scopes.length === 0)
    throw asked === undefined
      ? new AuthorizationRefusal('invalid_request', 'The parameter scope is missing.')
      : new AuthorizationRefusal('invalid_scope', 'The scope names nothing.');
  if (!scopes.every((scope) => application.scopes.includes(scope)))
    throw new AuthorizationRefusal('invalid_scope', 'A requested scope is not one of those of this application.');
  return [...new Set(scopes)];
}

function prompts(parameters: RequestParameters): string[] {
  const asked = (parameters.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== '');
  if (!asked.every((prompt) => PROMPTS.has(prompt)))
    throw new AuthorizationRefusal('invalid_request', 'The prompt must be none, login, consent or select_account.');
  if (asked.includes('none') && asked.length > 1)
    throw new AuthorizationRefusal('invalid_request', 'The prompt none stands alone.');
  return [...new Set(asked)];
}

function maxAge(parameters: RequestParameters): number | null {
  const asked = parameters.get('max_age');
  if (asked === undefined) return null;
  if (!MAX_AGE.test(asked))
    throw new AuthorizationRefusal('invalid_request', 'The max_age must be a number of seconds.');
  return Number(asked);
}

function text(parameters: RequestParameters, name: string, maxLength: number): string | null {
  const value = parameters.get(name);
  if (value === undefined) return null;
  if (value.length > maxLength)
    throw new AuthorizationRefusal('invalid_request', `The ${name} is longer than ${String(maxLength)} characters.`);
  if (UNPRINTABLE.test(value))
    throw new AuthorizationRefusal('invalid_request', `The ${name} has characters that can not be returned.`);
  return value;
}

/** Whether a session that signed in at `authenticatedAt` must do so again before it may answer this request. */
export function needsNewLogin(
  { prompts, max_age }: Pick<AuthorizationParameters, 'prompts' | 'max_age'>,
  authenticatedAt: number,
  now: number,
): boolean {
  if (prompts.includes('login') || prompts.includes('select_account')) return true;
  return max_age !== null && now - authenticatedAt > max_age * 1000;
}

/** The address of the answer: the registered query stays as it is, ours is appended (RFC 6749 §3.1.2, §4.1.2; RFC 9207). */
export function answerUri(redirectUri: string, answer: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined && value !== null) query.set(name, value);
  }
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${joint}${query.toString()}`;
}
