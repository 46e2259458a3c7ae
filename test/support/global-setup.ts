import { STACK_VARIABLE, startRunStack } from './run-stack.ts';
import type { RunStack } from './run-stack.ts';

declare global {
  var testRunStack: RunStack | undefined;
}

/** Once per run, before any test: PostgreSQL and Temporal. Jest's worker processes inherit the environment. */
export default async function globalSetup(): Promise<void> {
  const started = performance.now();
  globalThis.testRunStack = await startRunStack();
  process.env[STACK_VARIABLE] = JSON.stringify(globalThis.testRunStack.addresses);
  process.stderr.write(
    `PostgreSQL and Temporal for the tests: ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
}
