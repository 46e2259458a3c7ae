import { afterAll } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test file, removed after it. Every user may enter it, as PostgreSQL's must. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'business-platform-test-'));
  chmodSync(folder, 0o755);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
