import { STATUS_CODES } from 'node:http';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';
import { CURRENT_VERSION } from '../versions.ts';

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
  REQUEST_TIMEOUT: 'The request did not arrive whole in time. The connection is closed.',
  CONFLICT:
    'The request conflicts with the current state, or the first request with the same Idempotency-Key still runs.',
  IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used before with another body, method or path. Use a new key.',
  GONE: 'The endpoint has been sunset. The answer links to the migration guide.',
  PAYLOAD_TOO_LARGE:
    'The body or the file is larger than allowed: 1 MiB, 30 MiB for Document AI bodies, 20 MiB for a file.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON, or the document is of a type that is not read.',
  UNPROCESSABLE_ENTITY: 'The request is well formed but a rule of the business forbids it. The message says which.',
  RATE_LIMITED: 'Too many requests. Wait for the seconds in Retry-After.',
  HEADERS_TOO_LARGE:
    'The request line and headers are larger than 16 KiB together, or there are more than 100 headers.',
  INTERNAL_ERROR: 'Something unexpected happened on our side. Report the request_id.',
  BAD_GATEWAY: 'A service that this call needs answered wrongly. Try again later.',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable. Try again after the seconds in Retry-After.',
  GATEWAY_TIMEOUT: 'The answer took too long. Document AI works on: fetch the result by its request_id.',
};

/** Codes after which the same request may succeed later, and how to try again. Every other refusal is final as it stands. */
const AGAIN: Readonly<Partial<Record<ErrorCode, string>>> = {
  TOKEN_EXPIRED: 'Yes, once, with a new access token.',
  REQUEST_TIMEOUT: 'Yes, on a new connection. For a write, send an Idempotency-Key.',
  CONFLICT:
    'Where the answer has the header `Retry-After`, yes, with the same Idempotency-Key. Otherwise look first at the current state.',
  RATE_LIMITED: 'Yes, after the seconds in `Retry-After`.',
  INTERNAL_ERROR:
    'Yes, a few times with growing waits. For a write, send an Idempotency-Key, so that it is done once at most.',
  BAD_GATEWAY: 'Yes, with growing waits. For a write, send an Idempotency-Key.',
  SERVICE_UNAVAILABLE: 'Yes, after the seconds in `Retry-After`. For a write, send an Idempotency-Key.',
  GATEWAY_TIMEOUT:
    'Document AI: no, the work goes on; fetch the result. Elsewhere yes, with growing waits and an Idempotency-Key.',
};

const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** The pages that `documentation_url` of each error opens, as Markdown, by path. */
export function errorPages(publicUrl: string): { path: string; markdown: string }[] {
  return ERROR_CODES.map((code) => ({ path: `/docs/errors/${code}`, markdown: errorMarkdown(code, publicUrl) }));
}

/** The list of all codes by HTTP status, as Markdown. */
export function errorIndexMarkdown(): string {
  const statuses = [...new Set(Object.values(ERROR_STATUS))];
  const sections = statuses.map((status) => {
    const codes = ERROR_CODES.filter((code) => ERROR_STATUS[code] === status);
    const entries = codes.map((code) => `- **[${code}](/docs/errors/${code})**: ${MEANING[code]}`);
    return `## ${String(status)} ${STATUS_CODES[status] ?? ''}\n\n${entries.join('\n')}`;
  });
  return [
    '# Error codes',
    'Every refusal carries one of these codes in `error.code`. How errors look and how to treat them: [Errors](/docs/guides/errors).',
    ...sections,
  ].join('\n\n');
}

function errorMarkdown(code: ErrorCode, publicUrl: string): string {
  const example = {
    success: false,
    error: {
      code,
      message: 'What went wrong in this call.',
      request_id: '5f3c1f1e-5b0a-4c39-9d0e-2f7a8f0f6b11',
      documentation_url: `${publicUrl}/docs/errors/${code}`,
    },
    meta: { api_version: CURRENT_VERSION, request_id: '5f3c1f1e-5b0a-4c39-9d0e-2f7a8f0f6b11' },
  };
  return [
    `# ${code}`,
    `HTTP ${String(ERROR_STATUS[code])}. ${MEANING[code]}`,
    '## Try again?',
    AGAIN[code] ?? 'No: the same request gets the same answer. Change it first.',
    '## How it looks',
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    'Program against `code`, never against `message`: its words may change. Quote `request_id` when you ask for help.',
    '[All error codes](/docs/errors) · [Errors](/docs/guides/errors)',
  ].join('\n\n');
}
