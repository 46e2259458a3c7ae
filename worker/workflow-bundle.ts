import { bundleWorkflowCode } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Logger } from '../platform/log.ts';

const ROOT = join(import.meta.dirname, '..');
/** Where workflow code may come from (the architecture's rule, which CI holds): all of it goes into the bundle's name. */
const SOURCES = ['workflows', 'domain'];
const BUNDLED = /^(workflows\/.*|domain\/contracts\/.*|domain\/.*\.rules)\.ts$/;
/** Bundles of other versions are removed when they have not been made or used for so long. */
const KEEP_MS = 7 * 86_400_000;

/** The file that holds the workflows' code, made when there is none for the code as it stands. */
export async function workflowBundle(cacheDir: string, log: Logger): Promise<{ codePath: string }> {
  const codePath = join(cacheDir, `workflows-${await sourceHash()}.js`);
  if (await exists(codePath)) return { codePath };
  const startedAt = performance.now();
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    logger: quiet(log),
  });
  await mkdir(cacheDir, { recursive: true });
  // Written aside and renamed, so that a process that starts at the same moment never reads half of it.
  const draft = `${codePath}.${String(process.pid)}`;
  await writeFile(draft, code);
  await rename(draft, codePath);
  await removeOld(cacheDir);
  log.info({ duration_ms: Math.round(performance.now() - startedAt) }, 'workflow bundle made');
  return { codePath };
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const sdk = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
  hash.update(sdk.version);
  const listings = await Promise.all(
    SOURCES.map((folder) => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })),
  );
  const files = listings
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => BUNDLED.test(path))
    .sort();
  for (const path of files)
    hash
      .update(path)
      .update('\0')
      .update(await readFile(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex').slice(0, 20);
}

async function removeOld(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith('workflows-')) continue;
    const path = join(cacheDir, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > KEEP_MS) await unlink(path).catch(() => undefined);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Webpack's own report is of use only when it fails. */
function quiet(log: Logger): NonNullable<Parameters<typeof bundleWorkflowCode>[0]['logger']> {
  const at = (level: 'debug' | 'warn' | 'error') => (message: string) => log[level]({ source: 'webpack' }, message);
  return {
    log: (_level, message) => log.debug({ source: 'webpack' }, message),
    trace: at('debug'),
    debug: at('debug'),
    info: at('debug'),
    warn: at('warn'),
    error: at('error'),
  };
}
