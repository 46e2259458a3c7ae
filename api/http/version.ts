/** The API version that handles a request without an X-API-Version header (spec, "Versioning"). */
export const CURRENT_VERSION = '2026-07-01';

/** The oldest dated version that is still understood (decisions §10). */
export const FIRST_VERSION = '2026-01-01';
