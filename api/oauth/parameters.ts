import type { Request, Response } from 'express';
import { OAuthError, RequestParameters } from '../../domain/oauth/index.ts';
import { readBody } from '../http/read-body.ts';
import { isDeeperThan } from '../http/json-depth.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
/** No request of the protocol comes near it. */
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * The parameters of a form or JSON body. One that is sent twice is refused, whichever it is (RFC 6749 §3.1, §3.2); those
 * of the query don't count: addresses end up in logs.
 */
export async function readParameters(req: Request, res: Response): Promise<RequestParameters> {
  const parameters = new RequestParameters(await pairsOf(req, res));
  const [repeated] = parameters.repeated;
  if (repeated !== undefined) throw new OAuthError('invalid_request', 'A parameter was sent more than once.');
  return parameters;
}

async function pairsOf(req: Request, res: Response): Promise<Iterable<readonly [string, string]>> {
  const hasBody = req.get('transfer-encoding') !== undefined || Number(req.get('content-length') ?? 0) > 0;
  if (!hasBody) return [];
  const type = req.is([FORM_TYPE, JSON_TYPE]);
  if (type === false || type === null) {
    throw new OAuthError('invalid_request', `The body must be ${FORM_TYPE} or ${JSON_TYPE}.`);
  }
  const body = await readBody(req, res, { bytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  return type === JSON_TYPE ? jsonPairs(body) : new URLSearchParams(body.toString('utf8'));
}

/** One JSON object of strings. */
function jsonPairs(body: Buffer): [string, string][] {
  const text = body.toString('utf8');
  const pairs = Object.entries(parseObject(body, text));
  for (const [name, value] of pairs) {
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', `The parameter ${plain(name)} must be a string.`);
    }
  }
  // An object of strings is written with two strings to each name: more of them means that a name came twice.
  if ((text.match(/"(?:[^"\\]|\\.)*"/g) ?? []).length !== 2 * pairs.length) {
    throw new OAuthError('invalid_request', 'A parameter was sent more than once.');
  }
  return pairs as [string, string][];
}

function parseObject(body: Buffer, text: string): object {
  const malformed = 'The body is not a JSON object.';
  if (isDeeperThan(body, 4)) throw new OAuthError('invalid_request', malformed);
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new OAuthError('invalid_request', malformed, { cause: error });
  }
  throw new OAuthError('invalid_request', malformed);
}

function plain(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : 'with an unknown name';
}
