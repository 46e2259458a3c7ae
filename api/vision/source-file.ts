import { ApiError } from '../../domain/contracts/errors.ts';
import { MAX_FILE_BYTES } from '../../domain/contracts/vision.ts';
import { SendError } from '../../platform/http/send-error.ts';
import type { Services } from '../services.ts';

const FETCH_TIMEOUT_MS = 15_000;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const DATA_URL_PREFIX = /^data:[\w/+.-]*;base64,/;

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
  if (!BASE64.test(body)) throw ApiError.invalid('file_base64', 'is not base64');
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length === 0) throw ApiError.invalid('file_base64', 'is empty');
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge();
  return bytes;
}

async function fetchFile(services: Services, url: string): Promise<Uint8Array> {
  try {
    return await services.http.fetchBytes(url, { maxBytes: MAX_FILE_BYTES, timeoutMs: FETCH_TIMEOUT_MS });
  } catch (error) {
    throw fetchRefusal(error);
  }
}

/** An address that can't be fetched from is the caller's mistake; a server there that fails or dawdles is not. */
function fetchRefusal(error: unknown): unknown {
  if (!(error instanceof SendError)) return error;
  if (error.kind === 'too_long') return tooLarge();
  const issue = `could not be fetched: ${error.message}`;
  if (error.kind === 'blocked' || error.kind === 'dns') return ApiError.invalid('file_url', issue);
  const code = error.kind === 'timeout' ? 'GATEWAY_TIMEOUT' : 'BAD_GATEWAY';
  return new ApiError(code, `file_url: ${issue}`, { details: [{ field: 'file_url', issue }], cause: error });
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The file is larger than ${String(MAX_FILE_BYTES / 1_048_576)} MiB.`);
}
