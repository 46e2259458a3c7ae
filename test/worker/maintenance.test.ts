import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { processEnvironment, spawnProcess, temporalAddress, testDatabase } from '../support/stack.ts';
import type { SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { recordHistory } from '../workflows/histories.ts';
import { MASTER_KEY, Tenant } from './tenant.ts';
import { statement } from '../../platform/db/statement.ts';

let database: TestDatabase;
let tenant: Tenant;
let worker: SpawnedProcess;
let connection: Connection;
let prefix: string;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await Tenant.create(database);
  const environment = processEnvironment(database, { MASTER_KEY });
  prefix = environment['TEMPORAL_TASK_QUEUE_PREFIX'] ?? '';
  worker = await spawnProcess('worker/main.ts', environment, { args: ['--queue', 'platform'] });
  connection = await Connection.connect({ address: temporalAddress() });
});

afterAll(async () => {
  await worker.stop();
  await connection.close();
  await tenant.close();
  await database.drop();
});

const OLD_RECORD = statement(`
  insert into idempotency_records (client_id, key, principal, fingerprint, request_id, status, created_at)
  values ($1, 'old', 'user:1', '', gen_random_uuid(), 200, now() - interval '25 hours')`);
const RECORDS = statement(`select key from idempotency_records`);

describe('the maintenance schedule', () => {
  it('is made by the platform worker, runs every ten minutes without overlap, and purges idempotency records after 24 hours', async () => {
    await tenant.system.query(OLD_RECORD, [tenant.clientId]);
    const schedule = new Client({ connection }).schedule.getHandle(`${prefix}maintenance`);
    const description = await within(15_000, () => schedule.describe());
    expect(description.spec.intervals).toEqual([expect.objectContaining({ every: 600_000 })]);
    expect(description.policies.overlap).toBe('SKIP');
    await schedule.trigger();
    await within(20_000, async () => {
      expect(await tenant.system.query(RECORDS)).toEqual([]);
    });
    const [run] = (await schedule.describe()).info.recentActions;
    if (run?.action.type !== 'startWorkflow') throw new Error('the schedule started nothing');
    const handle = new Client({ connection }).workflow.getHandle(run.action.workflow.workflowId);
    expect(await handle.result()).toMatchObject({ idempotency_records: 1, auditor_exports: 0 });
    await recordHistory('maintenance.purged', await handle.fetchHistory());
  });
});
