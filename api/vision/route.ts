import type { Route } from '../operation.ts';

/** A 20 MiB file in base64 and the other fields. */
const MAX_BODY_BYTES = 30 * 1_048_576;

type VisionRoute = Pick<Route, 'method' | 'params' | 'status'>;

/** What the routes of Document AI have in common: `path` follows `/api/v1/vision/`. */
export function visionRoute(path: string, route: VisionRoute): Route {
  const common = { auth: ['bearer_key', 'oauth'], shape: 'flat', quota: 'document_ai' } as const;
  return { ...common, path: `/api/v1/vision/${path}`, ...route };
}

/** The same for those that take a document. */
export function documentRoute(path: string): Route {
  return {
    ...visionRoute(path, { method: 'post' }),
    otherStatuses: [202],
    maxBodyBytes: MAX_BODY_BYTES,
  };
}

export const DOCUMENT_ERRORS = ['UNPROCESSABLE_ENTITY', 'BAD_GATEWAY', 'GATEWAY_TIMEOUT'] as const;

/** Results are read and erased by whoever may make them. */
export const ANY_VISION_SCOPE = [
  'vision:extract',
  'vision:classify',
  'vision:split',
  'vision:crop',
  'vision:pipeline',
] as const;

/** Which models there are tells nothing of any document: every key of Document AI may ask. */
export const READS_MODELS = [...ANY_VISION_SCOPE, 'vision:models', 'vision:corrections', 'vision:usage'] as const;

/** The chart of accounts belongs to the books: people who are signed in keep it too. */
export function ledgerRoute(method: 'get' | 'put'): Route {
  return { ...visionRoute('ledger-accounts', { method }), auth: ['jwt', 'bearer_key', 'oauth'] };
}
