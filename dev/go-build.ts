import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Fetched, Progress } from './sdk-download.ts';

/** The newest version that `go install` can build: the go.mod of later ones has a replace, which it refuses. */
export const GO_CLI_VERSION = '1.5.1';

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${GO_CLI_VERSION}`;
const TIMEOUT_MS = 20 * 60_000;
const PROGRESS_EVERY_MS = 15_000;

/** Builds the Temporal CLI from the Go module proxy into the cache: three to five minutes on two cores, once per machine. */
export async function buildWithGo(
  go: string,
  cache: string,
  report: Progress,
  env: NodeJS.ProcessEnv,
): Promise<Fetched> {
  const draft = mkdtempSync(join(cache, 'build-'));
  const started = Date.now();
  report(`building Temporal's CLI ${GO_CLI_VERSION} with Go (once, 3 to 5 minutes)`);
  try {
    const { code, output } = await goInstall(go, { ...env, GOBIN: draft }, (modules) => {
      const seconds = Math.round((Date.now() - started) / 1000);
      report(`still building Temporal's CLI: ${String(seconds)} s, ${String(modules)} modules fetched`);
    });
    const program = join(draft, 'temporal');
    if (code !== 0 || !existsSync(program)) return { failure: `go install failed: ${output.trim().slice(-300)}` };
    const path = join(cache, `temporal-${GO_CLI_VERSION}`);
    renameSync(program, path);
    return { path };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function goInstall(
  go: string,
  env: NodeJS.ProcessEnv,
  onProgress: (modules: number) => void,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(go, ['install', MODULE], {
      env,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    let output = '';
    const ticker = setInterval(() => {
      onProgress(output.split('go: downloading').length - 1);
    }, PROGRESS_EVERY_MS);
    const finish = (code: number): void => {
      clearInterval(ticker);
      resolve({ code, output });
    };
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.once('error', (error) => {
      output += error.message;
      finish(-1);
    });
    child.once('close', (code) => {
      finish(code ?? -1);
    });
  });
}
