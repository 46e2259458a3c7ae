import { ApiError } from '../../domain/contracts/errors.ts';
import { MAX_FILE_BYTES } from '../../domain/contracts/vision.ts';
import { SendError } from '../../platform/http/send-error.ts';
import type { Services } from '../services.ts';

const FETCH_TIMEOUT_MS = 15_000;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** What stands before the base64 of a data: URL, with its media type and parameters (RFC 2397). */
const DATA_URL_PREFIX = /^data:[^,]{0,300};base64,/i;

/** One of the two; both or neither are refused. */
export interface FileInput {
  file_base64?: string | undefined;
  file_url?: string | undefined;
}

/** The document's bytes, from the body or fetched from its public address. */
export async function sourceFile(services: Services, input: FileInput): Promise<Uint8Array> {
  if (input.file_base64 !== undefined && input.file_url !== undefined) {
    throw ApiError.invalid('file_url', 'must not stand beside file_base64; send one of the two');
  }
  if (input.file_base64 !== undefined) return decodeBase64(input.file_base64);
  if (input.file_url !== undefined) return fetchFile(services, input.file_url);
  throw ApiError.badRequest('file_base64', 'is required (or file_url)');
}

function decodeBase64(text: string): Uint8Array {
  const body = text.replace(DATA_URL_PREFIX, '').replaceAll(/\s+/g, '');
  if (!isBase64(body)) throw ApiError.invalid('file_base64', 'is not base64');
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length === 0) throw ApiError.invalid('file_base64', 'is empty');
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge('file_base64');
  return bytes;
}

/** Of either alphabet (RFC 4648 §4 and §5), with its padding or without; four characters are three bytes. */
function isBase64(text: string): boolean {
  if (!BASE64.test(text)) return false;
  return text.endsWith('=') ? text.length % 4 === 0 : text.length % 4 !== 1;
}

async function fetchFile(services: Services, url: string): Promise<Uint8Array> {
  const bytes = await fetched(services, url);
  if (bytes.length === 0) throw ApiError.invalid('file_url', 'answers with an empty file');
  return bytes;
}

async function fetched({ http }: Services, url: string): Promise<Uint8Array> {
  try {
    return await http.fetchBytes(url, { maxBytes: MAX_FILE_BYTES, timeoutMs: FETCH_TIMEOUT_MS });
  } catch (error) {
    throw fetchRefusal(error);
  }
}

/** An address that can't be fetched from is the caller's mistake; a server there that fails or dawdles is not. */
function fetchRefusal(error: unknown): unknown {
  if (!(error instanceof SendError)) return error;
  if (error.kind === 'too_long') return tooLarge('file_url');
  const issue = `could not be fetched: ${error.message}`;
  if (error.kind === 'blocked' || error.kind === 'dns') return ApiError.invalid('file_url', issue);
  const code = error.kind === 'timeout' ? 'GATEWAY_TIMEOUT' : 'BAD_GATEWAY';
  return new ApiError(code, `file_url: ${issue}`, { details: [{ field: 'file_url', issue }], cause: error });
}

function tooLarge(field: string): ApiError {
  const issue = `is larger than ${String(MAX_FILE_BYTES / 1_048_576)} MiB`;
  return new ApiError('PAYLOAD_TOO_LARGE', `${field}: the file ${issue}.`, { details: [{ field, issue }] });
}
