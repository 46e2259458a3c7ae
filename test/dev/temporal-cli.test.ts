import { expect, test } from '@jest/globals';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTemporalCli, installedTemporalCli } from '../../dev/temporal-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

function program(...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return file;
}

const named = program('elsewhere', 'my-temporal');
const onPath = program('bin', 'temporal');
const older = program('cache', 'business-platform', 'temporal-1.5.1');
const newer = program('cache', 'business-platform', 'temporal-1.10.0');
program('cache', 'business-platform', 'temporal-test-server-sdk-1.24.0');
const XDG_CACHE_HOME = join(folder, 'cache');
const PATH = join(folder, 'bin');

test('TEMPORAL_CLI_PATH goes before the PATH, and that before the cache', () => {
  expect(installedTemporalCli({ TEMPORAL_CLI_PATH: named, PATH, XDG_CACHE_HOME })).toBe(named);
  expect(installedTemporalCli({ PATH, XDG_CACHE_HOME })).toBe(onPath);
  expect(installedTemporalCli({ PATH: '/nowhere', XDG_CACHE_HOME })).toBe(newer);
  expect(installedTemporalCli({ PATH: '/nowhere', XDG_CACHE_HOME: folder })).toBeUndefined();
});

test('of several in the cache the newest is taken, and never the test server', () => {
  expect(newer > older).toBe(false);
  expect(installedTemporalCli({ PATH: '', XDG_CACHE_HOME })).toBe(newer);
});

test('a TEMPORAL_CLI_PATH that is no program is an error, not a reason to look elsewhere', () => {
  expect(() => installedTemporalCli({ TEMPORAL_CLI_PATH: folder, PATH, XDG_CACHE_HOME })).toThrow('is not a program');
});

test('when nothing can be fetched the message says what to install', async () => {
  const cache = join(folder, 'empty', 'business-platform');
  mkdirSync(cache, { recursive: true });
  const memory = { failed_at: new Date().toISOString(), problem: 'no route' };
  writeFileSync(join(cache, 'unreachable-cli.json'), JSON.stringify(memory));
  const finding = findTemporalCli(() => undefined, { PATH: '/nowhere', XDG_CACHE_HOME: join(folder, 'empty') });
  await expect(finding).rejects.toThrow(
    /Go is not installed[\s\S]*docs\.temporal\.io\/cli[\s\S]*Go 1\.24[\s\S]*TEMPORAL_ADDRESS/,
  );
});

test('a failed Go build leaves nothing in the cache and says why', async () => {
  const home = join(folder, 'broken');
  const cache = join(home, 'business-platform');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'unreachable-cli.json'), JSON.stringify({ failed_at: new Date().toISOString() }));
  mkdirSync(join(folder, 'go-bin'));
  writeFileSync(join(folder, 'go-bin', 'go'), '#!/bin/sh\necho "no such module" >&2\nexit 1\n', { mode: 0o755 });
  const finding = findTemporalCli(() => undefined, { PATH: join(folder, 'go-bin'), XDG_CACHE_HOME: home });
  await expect(finding).rejects.toThrow('go install failed: no such module');
  expect(readdirSync(cache)).toEqual(['unreachable-cli.json']);
});

test('a Go build is moved into the cache', async () => {
  const home = join(folder, 'built');
  const cache = join(home, 'business-platform');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'unreachable-cli.json'), JSON.stringify({ failed_at: new Date().toISOString() }));
  mkdirSync(join(folder, 'go-works'));
  const go = '#!/bin/sh\n[ "$1" = install ] || exit 2\necho "$2" > "$GOBIN/temporal"\nchmod +x "$GOBIN/temporal"\n';
  writeFileSync(join(folder, 'go-works', 'go'), go, { mode: 0o755 });
  const env = { PATH: `${join(folder, 'go-works')}:/bin:/usr/bin`, XDG_CACHE_HOME: home };
  const path = await findTemporalCli(() => undefined, env);
  expect(path).toBe(join(cache, 'temporal-1.5.1'));
  expect(readFileSync(path, 'utf8').trim()).toBe('github.com/temporalio/cli/cmd/temporal@v1.5.1');
});
