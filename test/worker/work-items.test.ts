import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SCHEDULE } from '../../domain/contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { processEnvironment, spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';

let api: ApiFixture;
let worker: SpawnedProcess;
beforeAll(async () => {
  api = await startApi();
  worker = await spawnProcess('worker/main.ts', processEnvironment(api.database), { args: ['--queue', 'platform'] });
});
afterAll(async () => {
  await worker.stop();
  await api.close();
});

it('the schedule counts new items and takes their words, every 30 seconds without overlap', async () => {
  const key = await api.acme.key();
  await api.act(key, { action: 'create-work-item', item_type: 'job', title: 'Hydraulic compressor' });
  const { temporal, system } = api.services;
  const client = await temporal.client();
  const schedule = client.schedule.getHandle(temporal.queueName(SCHEDULE.foldWorkItems.id));
  const description = await within(20_000, () => schedule.describe());
  expect(description.spec.intervals).toEqual([expect.objectContaining({ every: 30_000 })]);
  expect(description.policies.overlap).toBe('SKIP');
  await schedule.trigger();
  await within(20_000, async () => {
    const search = { action: 'list-work-items', search: 'hydralic' };
    expect((await api.act(key, search)).body).toMatchObject({
      data: { work_items: [{ title: 'Hydraulic compressor' }] },
    });
  });
  expect(await system.query(statement('select sum(n)::int as n from work_item_counts'))).toEqual([{ n: 1 }]);
  const [run] = (await schedule.describe()).info.recentActions;
  if (run?.action.type !== 'startWorkflow') throw new Error('the schedule started nothing');
  const handle = client.workflow.getHandle(run.action.workflow.workflowId);
  expect(await handle.result()).toEqual({ folded: expect.any(Number) });
  await recordHistory('fold-work-items.folded', await handle.fetchHistory());
}, 60_000);
