import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError, errorCode, messageOf } from './errors.ts';
import { withUmask } from './files.ts';
import type { Settings } from './settings.ts';

/** What `npm start` keeps there. Others may have put more beside it, which is theirs to close. */
const OWN_FOLDERS = ['blobs', 'cache', 'log', 'postgres', 'secrets', 'temporal'];

/**
 * Makes VAR_DIR, which holds customers' documents, for its owner only, and closes what an earlier start left open.
 * Under root PostgreSQL runs as a user of its own, who must pass through VAR_DIR (but can't list it).
 */
export function makeVarDir({ varDir, databaseUrl }: Pick<Settings, 'varDir' | 'databaseUrl'>): void {
  const mode = process.getuid?.() === 0 && databaseUrl === undefined ? 0o711 : 0o700;
  try {
    withUmask(0, () => mkdirSync(varDir, { recursive: true, mode }));
    // Only a folder that an earlier start used: VAR_DIR may have been pointed at one that others live in.
    if (existsSync(join(varDir, 'secrets'))) restrict(varDir, mode);
    for (const name of OWN_FOLDERS) restrict(join(varDir, name), 0o700);
  } catch (error) {
    throw new StartError(
      `The folder for data ${varDir} can't be made or closed to others: ${messageOf(error)}. VAR_DIR names another.`,
    );
  }
}

/** Takes away the rights that are not in `allowed`; leaves shared places (sticky, as /tmp) and folders of others. */
function restrict(path: string, allowed: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return;
  const mode = found.mode & 0o7777;
  if ((mode & 0o1000) !== 0 || (mode & ~allowed) === 0) return;
  try {
    chmodSync(path, mode & allowed);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
