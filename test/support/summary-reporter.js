import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../var/test-summary.json', import.meta.url));

/** Writes the counts of a run to var/test-summary.json and prints them as its last line. A file that fails to load counts as one failed. */
export default class SummaryReporter {
  onRunComplete(_contexts, results) {
    const summary = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    mkdirSync(fileURLToPath(new URL('../../var', import.meta.url)), { recursive: true });
    writeFileSync(FILE, `${JSON.stringify(summary)}\n`);
    process.stdout.write(`${summary.passed} passed, ${summary.failed} failed\n`);
  }
}
