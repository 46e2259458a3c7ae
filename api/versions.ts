import type { Outcome } from './operation.ts';

/**
 * One dated change of the API (spec, "Versioning" 2; decisions §10). A caller on an older version gets its answers as
 * they were before: each change that is newer than the caller's version is undone, newest first.
 */
interface DatedChange {
  version: string;
  /** For the changelog. */
  description: string;
  /** Undoes the change in the `data` of the operations that it touched, by operation name. */
  downgrade: Readonly<Record<string, (data: never) => unknown>>;
}

/** Newest first. */
export const CHANGES: readonly DatedChange[] = [
  {
    version: '2026-07-01',
    description:
      'get-work-item also answers `assigned_contractors`, the contact ids of the contractors who work on the item.',
    downgrade: {
      'get-work-item': ({ assigned_contractors: _, ...item }: Record<string, unknown>) => item,
    },
  },
];

/** The oldest dated version that is still understood (decisions §10). */
export const FIRST_VERSION = '2026-01-01';

/** The version that handles a request without an X-API-Version header (spec, "Versioning"). */
export const CURRENT_VERSION = CHANGES[0]?.version ?? FIRST_VERSION;

/** An answer as a caller on `version` knows it. */
export function downgraded(operation: string, version: string, outcome: Outcome<unknown>): Outcome<unknown> {
  if (version >= CURRENT_VERSION) return outcome;
  const data = CHANGES.filter((change) => change.version > version)
    .map((change) => change.downgrade[operation])
    .reduce((given, undo) => (undo === undefined ? given : undo(given as never)), outcome.data);
  return { ...outcome, data };
}
