import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { StartError } from './errors.ts';
import { buildWithGo } from './go-build.ts';
import { downloadThroughSdk } from './sdk-download.ts';
import type { Progress } from './sdk-download.ts';

/** Where downloads that several clones share are kept. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CACHE_HOME'];
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache'), 'business-platform');
}

/** A CLI that is on this machine already: TEMPORAL_CLI_PATH, then the PATH, then our cache. */
export function installedTemporalCli(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['TEMPORAL_CLI_PATH'];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return resolve(named);
    throw new StartError(`TEMPORAL_CLI_PATH=${named} is not a program that can be run.`);
  }
  return findOnPath('temporal', env) ?? cachedCli(cacheFolder(env));
}

/** The Temporal CLI, fetched or built into the cache when the machine has none. */
export async function findTemporalCli(report: Progress, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const installed = installedTemporalCli(env);
  if (installed !== undefined) return installed;
  const cache = cacheFolder(env);
  mkdirSync(cache, { recursive: true });
  const downloaded = await downloadThroughSdk('cli', cache, report);
  if ('path' in downloaded) return downloaded.path;
  const go = findOnPath('go', env);
  const built = go === undefined ? { failure: 'Go is not installed' } : await buildWithGo(go, cache, report, env);
  if ('path' in built) return built.path;
  throw new StartError(
    `Temporal's command-line program was not found and could not be fetched (${downloaded.failure}; ${built.failure}). Do one of these:\n` +
      '  - install it from https://docs.temporal.io/cli and have it on the PATH, or name it by TEMPORAL_CLI_PATH\n' +
      '  - install Go 1.24 or later; it is then built from the Go module proxy at the next start\n' +
      '  - set TEMPORAL_ADDRESS to a Temporal server that runs already',
  );
}

function cachedCli(cache: string): string | undefined {
  if (!existsSync(cache)) return undefined;
  return readdirSync(cache)
    .filter((name) => /^temporal-(sdk-)?\d[\w.]*$/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(cache, name))
    .find(isProgram);
}

export function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
