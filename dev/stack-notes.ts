import { isAbsolute, relative } from 'node:path';
import type { RunningPostgres } from './postgres.ts';
import type { Settings } from './settings.ts';
import type { RunningTemporal } from './temporal.ts';

/** A path as seen from the clone, where it lies inside. */
export function shortPath({ root }: Settings, path: string): string {
  const short = relative(root, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

export function postgresNote(settings: Settings, postgres: RunningPostgres | undefined): string {
  if (postgres === undefined) return `${new URL(settings.databaseUrl ?? '').host} (DATABASE_URL)`;
  return `127.0.0.1:${String(postgres.port)}, data in ${shortPath(settings, postgres.dataDir)}`;
}

export function temporalNote(settings: Settings, temporal: RunningTemporal | undefined): string {
  if (temporal === undefined) return `${settings.temporalAddress ?? ''} (TEMPORAL_ADDRESS)`;
  return `${temporal.address}, data in ${shortPath(settings, temporal.dbPath)}`;
}

/** What platform/db/migrate.ts says: `{"applied": [names]}`. */
export function migrationsNote(output: string): string {
  const { applied } = JSON.parse(output) as { applied: string[] };
  return applied.length === 0 ? 'up to date' : `${String(applied.length)} applied`;
}
