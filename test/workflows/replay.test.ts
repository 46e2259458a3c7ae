import { beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { join } from 'node:path';
import { historyNames, readHistory } from './histories.ts';

let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR' } } });
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, '../../workflows/index.ts'),
    logger,
  });
});

/**
 * Recorded runs against today's workflow code: a change that running workflows could not follow fails here. Where one is
 * meant, `patched()` keeps the old way beside the new; a history is never edited.
 */
describe('today’s workflows', () => {
  it.each(historyNames())('follow %s', async (name) => {
    const history = await readHistory(name);
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  });
});
