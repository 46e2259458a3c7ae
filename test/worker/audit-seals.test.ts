import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { audit, verifyAuditSeals } from '../../domain/audit/index.ts';
import { SCHEDULE } from '../../domain/contracts/workflows.ts';
import { startApi } from '../api/support.ts';
import type { ApiFixture } from '../api/support.ts';
import { untilSealable } from '../support/audit-horizon.ts';
import { processEnvironment, spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';

let api: ApiFixture;
let worker: SpawnedProcess;
let superuser: pg.Client;

beforeAll(async () => {
  api = await startApi();
  superuser = new pg.Client({ connectionString: api.database.superuserUrl });
  await superuser.connect();
  worker = await spawnProcess('worker/main.ts', processEnvironment(api.database), { args: ['--queue', 'platform'] });
});
afterAll(async () => {
  await worker.stop();
  await superuser.end();
  await api.close();
});

describe('the seal schedule', () => {
  it('is made by the platform worker, runs every minute without overlap, and seals what was committed', async () => {
    const { tenants, temporal } = api.services;
    const { clientId, caller } = api.acme;
    await tenants.transaction(clientId, (tx) => {
      audit(tx, caller, { action: 'invoice.created', subjectType: 'finance_document', subjectId: '1' });
      return Promise.resolve();
    });
    const client = await temporal.client();
    const schedule = client.schedule.getHandle(temporal.queueName(SCHEDULE.sealAuditTrail.id));
    const description = await within(20_000, () => schedule.describe());
    expect(description.spec.intervals).toEqual([expect.objectContaining({ every: 60_000 })]);
    expect(description.policies.overlap).toBe('SKIP');
    await untilSealable(superuser, clientId);
    await schedule.trigger();
    await within(20_000, async () => {
      const status = await tenants.transaction(clientId, (tx) => verifyAuditSeals(tx, clientId));
      expect(status).toMatchObject({ seals: 1, breach: null });
    });
    const [run] = (await schedule.describe()).info.recentActions;
    if (run?.action.type !== 'startWorkflow') throw new Error('the schedule started nothing');
    const handle = client.workflow.getHandle(run.action.workflow.workflowId);
    expect(await handle.result()).toEqual({ sealed: expect.any(Number) });
    await recordHistory('seal-audit-trail.sealed', await handle.fetchHistory());
  }, 60_000);
});
