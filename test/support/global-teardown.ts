import './global-setup.ts';

/** Once per run, after all tests. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.testRunStack?.stop();
}
