import { expect, test } from '@jest/globals';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../dev/processes.ts';
import { REPOSITORY } from '../support/run-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

/** A clone whose one dependency is a package in the clone itself, so that the real npm needs no registry. */
function clone(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'dev'), { recursive: true });
  mkdirSync(join(root, 'node-package'));
  copyFileSync(join(REPOSITORY, 'dev/ensure-dependencies.mjs'), join(root, 'dev/ensure-dependencies.mjs'));
  symlinkSync(process.execPath, join(root, 'node-package', 'node'));
  const version = '1.0.0';
  writeJson(join(root, 'node-package', 'package.json'), { name: 'node', version, bin: { node: 'node' } });
  const dependencies = { node: 'file:node-package' };
  writeJson(join(root, 'package.json'), { name: 'clone', version, dependencies });
  writeJson(join(root, 'package-lock.json'), {
    name: 'clone',
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'clone', version, dependencies },
      'node-package': { name: 'node', version, bin: { node: 'node' } },
      'node_modules/node': { resolved: 'node-package', link: true },
    },
  });
  return root;
}

function writeJson(path: string, content: unknown): void {
  writeFileSync(path, JSON.stringify(content));
}

async function ensure(root: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  return runCommand(process.execPath, [join(root, 'dev/ensure-dependencies.mjs')], { cwd: root, env });
}

test('a fresh clone is installed once; then there is nothing to do', async () => {
  const root = clone('fresh');
  const first = await ensure(root);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('none are there yet') });
  expect(first.stdout).toMatch(/Dependencies installed in \d+ s/);
  await expect(ensure(root)).resolves.toEqual({ code: 0, stdout: '', stderr: '' });
});

test('an install that was cut off, or a changed lock file, is made good', async () => {
  const root = clone('stale');
  await ensure(root);
  rmSync(join(root, 'node_modules', '.package-lock.json'));
  expect((await ensure(root)).stdout).toContain('Installing the dependencies');
  for (const file of ['package-lock.json', 'node-package/package.json']) {
    const path = join(root, file);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll('"name":"node","version":"1.0.0"', '"name":"node","version":"1.1.0"'),
    );
  }
  expect((await ensure(root)).stdout).toContain('the lock file has changed');
});

test('a failed install says so, and the start does not go on', async () => {
  const root = clone('broken');
  writeFileSync(join(root, 'package-lock.json'), '{"packages": ');
  const result = await ensure(root);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/npm ci failed|package-lock\.json/);
});

test('optional packages of other platforms that a mirror lacks are completed in the lock file, once', async () => {
  const path = join(folder, 'lock.json');
  const optionalDependencies = {
    '@x/core-linux-arm-gnueabihf': '1.2.3',
    '@x/darwin-arm64': '^2.0.0-beta.1',
    '@x/here': '1.0.0',
  };
  writeJson(path, {
    packages: {
      '': {},
      'node_modules/x': { version: '1.0.0', optionalDependencies },
      'node_modules/@x/here': { version: '1.0.0' },
    },
  });
  const script = join(REPOSITORY, 'dev/complete-lockfile.mjs');
  await expect(runCommand(process.execPath, [script, '--check', path])).resolves.toMatchObject({ code: 1 });
  const { stdout } = await runCommand(process.execPath, [script, path]);
  expect(stdout).toBe('added @x/core-linux-arm-gnueabihf@1.2.3\nadded @x/darwin-arm64@^2.0.0-beta.1\n');
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, unknown> };
  expect(packages['node_modules/@x/core-linux-arm-gnueabihf']).toEqual({
    version: '1.2.3',
    optional: true,
    cpu: ['arm'],
    libc: ['glibc'],
    os: ['linux'],
  });
  expect(packages['node_modules/@x/darwin-arm64']).toEqual({
    version: '2.0.0-beta.1',
    optional: true,
    cpu: ['arm64'],
    os: ['darwin'],
  });
  await expect(runCommand(process.execPath, [script, '--check', path])).resolves.toMatchObject({ code: 0, stdout: '' });
});
