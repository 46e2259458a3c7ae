/**
 * Adds to package-lock.json the optional packages of other platforms that `npm install` left out, and says which.
 *
 * npm drops an optional package from the lock file when the registry (a mirror, say) doesn't have it; `npm ci` then
 * refuses the lock file as out of step, here and everywhere. With an entry that says for which platform it is, npm
 * passes over it where it doesn't fit and fetches it where it does. Run it after `npm install`; it changes nothing
 * in a lock file that is complete. Usage: node dev/complete-lockfile.mjs [--check] [path]
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
};
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64'];
const C_LIBRARIES = { gnu: 'glibc', musl: 'musl' };

const check = process.argv.includes('--check');
const path = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingPackages(lock.packages);
for (const { location, ...dependency } of missing) lock.packages[location] = entryFor(dependency);
if (missing.length > 0 && !check) {
  const [[root, project], ...rest] = Object.entries(lock.packages);
  lock.packages = Object.fromEntries([[root, project], ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))]);
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
for (const { name, range } of missing) process.stdout.write(`${check ? 'missing' : 'added'} ${name}@${range}\n`);
process.exitCode = check && missing.length > 0 ? 1 : 0;

function missingPackages(packages) {
  const found = new Map();
  for (const [dependent, { optionalDependencies = {}, dev = false }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      if (!isResolved(packages, dependent, name))
        found.set(name, { location: `node_modules/${name}`, name, range, dev });
    }
  }
  return [...found.values()];
}

/** As Node resolves: beside the dependent first, then in each folder above. */
function isResolved(packages, dependent, name) {
  let folder = dependent;
  for (;;) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
    folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : '';
  }
}

function entryFor({ name, range, dev }) {
  const version = range.replace(/^[\^~=]/, '');
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${name}@${range}: only an exact version or a ^ or ~ range can be completed`);
  return { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
}

/** Packages of one platform are named for it by convention: `core-linux-arm-gnueabihf`, `darwin-arm64`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const system = words.map((word) => SYSTEMS[word]).find((found) => found !== undefined);
  const processor = words
    .map((word) => PROCESSORS.find((known) => word === known))
    .find((found) => found !== undefined);
  if (system === undefined || processor === undefined) throw new Error(`${name}: its name doesn't tell its platform`);
  const library = words.map((word) => C_LIBRARIES[word.replace(/eabi(hf)?$/, '')]).find((found) => found !== undefined);
  return {
    cpu: [processor],
    ...(system === 'linux' && library !== undefined ? { libc: [library] } : {}),
    os: [system],
  };
}
