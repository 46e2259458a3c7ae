/**
 * Runs before `npm start` and `npm test`: installs the dependencies when they are missing or older than the lock file.
 * Node built-ins only, and nothing newer than Node 20, since nothing else is there yet in a fresh clone.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const NODE = join(MODULES, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const PROGRESS_EVERY_MS = 10_000;
const MIN_NODE = 20;

try {
  checkNode();
  if (!isInstalled()) await install();
  checkInstalledNode();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < MIN_NODE)
    throw new Error(`Node ${MIN_NODE} or later is needed to install the dependencies; this is ${process.version}.`);
}

/**
 * npm notes what it has installed in a lock file of its own, as the last step of an install, so that one that was cut
 * off counts as none. Optional packages that it left out are for other platforms.
 */
function isInstalled() {
  const installed = readPackages(join(MODULES, '.package-lock.json'));
  if (installed === undefined || !existsSync(NODE)) return false;
  const wanted = readPackages(join(ROOT, 'package-lock.json'));
  if (wanted === undefined) throw new Error('package-lock.json is missing or is not JSON.');
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function install() {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(0);
  const line = (text) => process.stdout.write(`${text}\n`);
  line(
    `Installing the dependencies (npm ci): ${existsSync(MODULES) ? 'the lock file has changed' : 'none are there yet'}`,
  );
  const ticker = setInterval(() => line(`  still installing: ${seconds()} s`), PROGRESS_EVERY_MS);
  try {
    await npmCi();
  } finally {
    clearInterval(ticker);
  }
  line(`Dependencies installed in ${seconds()} s`);
}

/** Only errors are shown: the engine warnings speak of this Node, and the project runs on the one it installs. */
function npmCi() {
  const args = ['ci', '--loglevel=error', '--no-progress', '--no-audit', '--no-fund'];
  // npm tells its scripts where it is; without that (run by hand) it is looked up on the PATH.
  const npm = process.env.npm_execpath;
  const isScript = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  // The outer Node, not the project's: npm ci removes that one while it works.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const [program, all] = isScript ? [node, [npm, ...args]] : ['npm', args];
  return new Promise((resolve, reject) => {
    const child = spawn(program, all, {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: !isScript && process.platform === 'win32',
    });
    child.once('error', (error) => reject(new Error(`npm can't be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`npm ci failed (exit code ${code}); what it said is above. Is the npm registry reachable?`));
    });
  });
}

function checkInstalledNode() {
  // npm puts the project's Node first on the PATH: where it runs this script, it runs.
  if (existsSync(NODE) && realpathSync(process.execPath) === realpathSync(NODE)) return;
  const { status, stdout, error } = spawnSync(NODE, ['--version'], { encoding: 'utf8' });
  if (status === 0 && /^v\d+\./.test(stdout)) return;
  const why = error === undefined ? `exit code ${status}` : error.message;
  throw new Error(
    `The Node that the project brings along (${NODE}) does not run here: ${why}.\n` +
      'Was npm told to skip install scripts (ignore-scripts)? Then run: npm rebuild node',
  );
}
