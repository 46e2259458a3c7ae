import { expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sdkProgramPath } from '../../dev/sdk-download.ts';
import { cacheFolder } from '../../dev/temporal-cli.ts';
import { createTimeSkippingEnvironment, findTestServer } from '../../dev/time-skipping.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

test('72 hours pass in a moment, and the server is gone afterwards', async () => {
  const environment = await createTimeSkippingEnvironment();
  const before = await environment.currentTimeMs();
  const started = performance.now();
  await environment.sleep('72h');
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(72 * 3_600_000);
  expect(performance.now() - started).toBeLessThan(10_000);
  await environment.teardown();
}, 300_000);

test('a server that a busy machine starts too slowly is started again', async () => {
  const env = { ...process.env, XDG_CACHE_HOME: folder };
  const path = sdkProgramPath('test-server', cacheFolder(env));
  mkdirSync(dirname(path), { recursive: true });
  const server = await findTestServer(() => undefined);
  writeFileSync(path, `#!/bin/sh\nmkdir "$0.slow" 2>/dev/null && exec sleep 60\nexec "${server}" "$@"\n`, {
    mode: 0o755,
  });
  const said: string[] = [];
  const environment = await createTimeSkippingEnvironment((line) => said.push(line), env);
  await environment.sleep('1h');
  await environment.teardown();
  expect(said).toEqual([expect.stringContaining('was not ready in time; starting it again')]);
}, 300_000);
