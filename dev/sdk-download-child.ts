/**
 * Run as a process of its own, because the SDK can only download a program by starting it: fetches, starts and stops
 * one, and leaves its file in the given folder. Usage: sdk-download-child.ts <cli|test-server> <folder>
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { messageOf } from './errors.ts';

const [program, downloadDir] = process.argv.slice(2);
if (downloadDir === undefined) throw new Error('usage: sdk-download-child.ts <cli|test-server> <folder>');
const server = { executable: { type: 'cached-download' as const, downloadDir } };
try {
  const environment =
    program === 'cli'
      ? await TestWorkflowEnvironment.createLocal({ server })
      : await TestWorkflowEnvironment.createTimeSkipping({ server });
  await environment.teardown();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
