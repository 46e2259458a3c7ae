import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from './errors.ts';
import { readTextFile, writePrivateFile } from './files.ts';
import { runCommand } from './processes.ts';

export type Progress = (line: string) => void;

/** Programs that Temporal's SDK fetches for its test environments: the CLI's dev server and the time-skipping server. */
export type SdkProgram = 'cli' | 'test-server';

export type Fetched = { path: string } | { failure: string };

const DOWNLOAD_HOST = 'https://temporal.download/';
const PROBE_TIMEOUT_MS = 8_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const RETRY_AFTER_MS = 24 * 60 * 60_000;
const FILE_PREFIX: Record<SdkProgram, string> = { cli: 'temporal', 'test-server': 'temporal-test-server' };

/** Path under which the SDK's download of a program is kept, named by the SDK's version, which picks the program's. */
export function sdkProgramPath(program: SdkProgram, cache: string): string {
  const { version } = createRequire(import.meta.url)('@temporalio/testing/package.json') as { version: string };
  return join(cache, `${FILE_PREFIX[program]}-sdk-${version}`);
}

/**
 * Lets the SDK download a program (it knows which version fits it) and keeps the file in the cache. A machine that
 * can't reach the host finds out within seconds, and isn't asked again for a day.
 */
export async function downloadThroughSdk(program: SdkProgram, cache: string, report: Progress): Promise<Fetched> {
  const memory = join(cache, `unreachable-${program}.json`);
  if (failedLately(memory)) return { failure: `${DOWNLOAD_HOST} could not be reached in the last 24 hours` };
  const problem = await probe();
  if (problem !== undefined) {
    writePrivateFile(memory, `${JSON.stringify({ failed_at: new Date().toISOString(), problem })}\n`);
    return { failure: `${DOWNLOAD_HOST} can't be reached: ${problem}` };
  }
  report(`downloading Temporal's ${program === 'cli' ? 'CLI' : 'test server'} (once) from ${DOWNLOAD_HOST}`);
  const draft = mkdtempSync(join(cache, 'download-'));
  try {
    const script = fileURLToPath(new URL('sdk-download-child.ts', import.meta.url));
    const result = await runCommand(process.execPath, [script, program, draft], { timeoutMs: DOWNLOAD_TIMEOUT_MS });
    const [file] = readdirSync(draft);
    if (result.code !== 0 || file === undefined)
      return { failure: `the download failed: ${result.stderr.trim().slice(-300)}` };
    const path = sdkProgramPath(program, cache);
    chmodSync(join(draft, file), 0o755);
    renameSync(join(draft, file), path);
    return { path };
  } catch (error) {
    return { failure: messageOf(error) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function failedLately(memory: string): boolean {
  const text = readTextFile(memory);
  if (text === undefined) return false;
  try {
    const { failed_at: failedAt } = JSON.parse(text) as { failed_at: string };
    return Date.now() - Date.parse(failedAt) < RETRY_AFTER_MS;
  } catch {
    return false;
  }
}

/** Why the download host can't be reached; any HTTP answer means that it can. */
async function probe(): Promise<string | undefined> {
  try {
    await fetch(DOWNLOAD_HOST, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return undefined;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return messageOf(cause);
  }
}
