import { expect, test } from '@jest/globals';
import { createTimeSkippingEnvironment } from '../../dev/time-skipping.ts';

test('72 hours pass in a moment, and the server is gone afterwards', async () => {
  const environment = await createTimeSkippingEnvironment();
  const before = await environment.currentTimeMs();
  const started = performance.now();
  await environment.sleep('72h');
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(72 * 3_600_000);
  expect(performance.now() - started).toBeLessThan(10_000);
  await environment.teardown();
}, 300_000);
