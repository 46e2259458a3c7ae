import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';

/** What each code means and what to do about it (spec, "Errors"). */
const MEANING: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST:
    'The body is malformed, or a field is missing or of the wrong type. `details` names each field and the fix.',
  VALIDATION_ERROR: 'A field has a value that is not allowed. `details` names each field and the problem.',
  INVALID_ACTION: 'There is no such action. GET /api/v1/public/data lists the actions and their parameters.',
  UNAUTHORIZED: 'The credential is missing, unknown, revoked or expired. Send a valid API key or access token.',
  TOKEN_EXPIRED: 'The access token is older than 15 minutes. Use the refresh token to get a new one.',
  INVALID_API_KEY:
    'The API key is malformed: it begins svc_sk_ and ends in a checksum. Check that it was copied whole.',
  FORBIDDEN: 'The caller is known but may not do this. Ask an owner or admin of the client.',
  IP_NOT_ALLOWED: 'The request comes from an address that is not on the allowlist of the API key.',
  SCOPE_REQUIRED: 'The key lacks the scope that this call needs. The message names it; make a key that has it.',
  TIER_RESTRICTED: "The finance document type is not in the client's finance tier.",
  NOT_FOUND: 'There is no such resource for this client.',
  METHOD_NOT_ALLOWED: 'The path exists, the method does not. The header Allow lists the methods.',
  CONFLICT:
    'The request conflicts with the current state, or the first request with the same Idempotency-Key still runs.',
  IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used before with another body, method or path. Use a new key.',
  GONE: 'The endpoint has been sunset. The answer links to the migration guide.',
  PAYLOAD_TOO_LARGE:
    'The body or the file is larger than allowed: 1 MiB, 30 MiB for Document AI bodies, 20 MiB for a file.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON, or the document is of a type that is not read.',
  UNPROCESSABLE_ENTITY: 'The request is well formed but a rule of the business forbids it. The message says which.',
  RATE_LIMITED: 'Too many requests. Wait for the seconds in Retry-After.',
  INTERNAL_ERROR: 'Something unexpected happened on our side. Report the request_id.',
  BAD_GATEWAY: 'A service that this call needs answered wrongly. Try again later.',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable. Try again after the seconds in Retry-After.',
  GATEWAY_TIMEOUT: 'The answer took too long. Document AI works on: fetch the result by its request_id.',
};

/** The page that `documentation_url` of an error opens; undefined for a code that does not exist. */
export function errorPage(code: string): string | undefined {
  if (!Object.hasOwn(ERROR_STATUS, code)) return undefined;
  const known = code as ErrorCode;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${known} – Business Platform API</title>
</head>
<body>
  <main>
    <h1>${known}</h1>
    <p>HTTP ${String(ERROR_STATUS[known])}</p>
    <p>${MEANING[known].replaceAll('`', '')}</p>
    <p><a href="/docs">API reference</a></p>
  </main>
</body>
</html>
`;
}
