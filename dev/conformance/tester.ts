import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = '@modelcontextprotocol/conformance/package.json';
const { resolve } = createRequire(import.meta.url);

/** What the tester says of one thing that it looked at. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

export interface Scenario {
  name: string;
  checks: Check[];
}

export function testerVersion(): string {
  return (JSON.parse(readFileSync(resolve(PACKAGE), 'utf8')) as { version: string }).version;
}

/** Runs everything that a revision requires of a server, and what the tester runs beside it, in its order. */
export async function runTester(url: string, revision: string, folder: string): Promise<Scenario[]> {
  const program = join(dirname(resolve(PACKAGE)), 'dist/index.js');
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  // Its code counts scenarios that do not apply as failures; the files that it writes say which.
  await once(child, 'exit');
  return readdirSync(folder)
    .sort()
    .flatMap((made) => {
      const name = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(made)?.[1];
      if (name === undefined) return [];
      return [{ name, checks: JSON.parse(readFileSync(join(folder, made, 'checks.json'), 'utf8')) as Check[] }];
    });
}
