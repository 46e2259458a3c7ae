/** Revisions of the protocol that begin with `initialize`, newest first. */
export const HANDSHAKE_REVISIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The revision in which each request stands for itself. */
export const STATELESS_REVISION = '2026-07-28';

/** All that are understood, newest first. */
export const REVISIONS: readonly string[] = [STATELESS_REVISION, ...HANDSHAKE_REVISIONS];

/** Which rules a request is served by. */
export type Era = 'handshake' | 'stateless';
