/** The database can't be reached or is shutting down; the caller may try again. Nothing was committed that it knows of. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Two transactions stood in each other's way and this one was undone; the caller may try again. */
export class DatabaseConflictError extends Error {
  override readonly name = 'DatabaseConflictError';
}

/** Deadlock, serialization failure, lock not available. */
const CONFLICT_STATES = new Set(['40P01', '40001', '55P03']);

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** SQLSTATE classes that mean «not now»: 08 connection, 53 resources, 57P0x shutdown (PostgreSQL manual, appendix A). */
const UNAVAILABLE_STATE = /^(08|53|57P0)/;

const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Query read timeout',
  'Cannot use a pool after calling end',
];

/** The SQLSTATE of an error that PostgreSQL reported, if it is one. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The constraint that an insert or update broke, if the error says so. */
export function brokenConstraint(error: unknown): string | undefined {
  const constraint = (error as { constraint?: unknown } | null)?.constraint;
  return typeof constraint === 'string' ? constraint : undefined;
}

/**
 * Network and shutdown errors as {@link DatabaseUnavailableError}, deadlocks and their like as
 * {@link DatabaseConflictError}; any other error as it is.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailableError) return error;
  const code = (error as { code?: unknown }).code;
  const state = sqlState(error);
  if (state !== undefined && CONFLICT_STATES.has(state))
    return new DatabaseConflictError(error.message, { cause: error });
  const unavailable =
    (typeof code === 'string' && NETWORK_CODES.has(code)) ||
    (state !== undefined && UNAVAILABLE_STATE.test(state)) ||
    DRIVER_MESSAGES.some((message) => error.message.includes(message));
  return unavailable ? new DatabaseUnavailableError(error.message, { cause: error }) : error;
}
