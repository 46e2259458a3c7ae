import { Client, Connection } from '@temporalio/client';
import type { ScheduleDescription, ScheduleHandle, WorkflowHandle } from '@temporalio/client';
import { CreateRecurringJob } from '../../domain/contracts/recurring.ts';
import type { RecurringJob } from '../../domain/contracts/recurring.ts';
import { createRecurringJob, getRecurringJob } from '../../domain/recurring/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { processEnvironment, temporalAddress, testDatabase } from '../support/stack.ts';
import type { TestDatabase } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { MASTER_KEY, Tenant } from './tenant.ts';

const ITEMS = statement(`
  select o.scheduled_for, o.status, o.error, w.title, w.created_by_type, w.created_by_id
  from recurring_jobs j join recurring_job_occurrences o on o.recurring_job_id = j.id
    left join work_items w on w.id = o.work_item_id
  where j.recurring_job_id = $1 order by o.scheduled_for`);

export const HOUR_MS = 3_600_000;

export interface RunRecord extends Record<string, unknown> {
  scheduled_for: Date;
  status: string;
  error: string | null;
  title: string | null;
  created_by_type: string | null;
  created_by_id: string | null;
}

/** A database, a tenant and a way to Temporal, for the tests of recurring jobs; the worker is the test's own to start. */
export class RecurringFixture {
  readonly database: TestDatabase;
  readonly tenant: Tenant;
  readonly client: Client;
  readonly environment: Record<string, string>;

  private constructor(database: TestDatabase, tenant: Tenant, client: Client) {
    this.database = database;
    this.tenant = tenant;
    this.client = client;
    this.environment = processEnvironment(database, { MASTER_KEY });
  }

  static async create(): Promise<RecurringFixture> {
    const database = await testDatabase();
    const connection = await Connection.connect({ address: temporalAddress() });
    return new RecurringFixture(database, await Tenant.create(database), new Client({ connection }));
  }

  get prefix(): string {
    return this.environment['TEMPORAL_TASK_QUEUE_PREFIX'] ?? '';
  }

  /** A job made through the service, as if `ageMs` ago: what has come due since waits to be made up for. */
  job(input: Record<string, unknown> = {}, ageMs = 0): Promise<RecurringJob> {
    // Half an hour away from now: no occurrence comes true in the midst of a test.
    const minute = (new Date().getUTCMinutes() + 30) % 60;
    const schedule = { frequency: 'cron', cron: `${String(minute)} * * * *`, timezone: 'UTC' };
    const parsed = CreateRecurringJob.parse({ title: 'Inspect', schedule, start_date: '2026-01-01', ...input });
    const { tenants, clientId, caller } = this.tenant;
    return tenants.transaction(clientId, (tx) => createRecurringJob(tx, caller, parsed, Date.now() - ageMs));
  }

  async read(id: string): ReturnType<typeof getRecurringJob> {
    return getRecurringJob(this.tenant.tenants.reader(this.tenant.clientId), id);
  }

  runs(id: string): Promise<RunRecord[]> {
    return this.tenant.system.query<RunRecord>(ITEMS, [id]);
  }

  schedule(id: string): ScheduleHandle {
    return this.client.schedule.getHandle(`${this.prefix}recurring/${id}`);
  }

  /** The schedule, once the worker has made it. */
  made(id: string): Promise<ScheduleDescription> {
    return within(20_000, () => this.schedule(id).describe());
  }

  /** Makes a schedule fire; answers the workflow that it started. */
  async fire(handle: ScheduleHandle): Promise<WorkflowHandle> {
    const before = new Set(startedBy(await handle.describe()));
    await handle.trigger();
    return within(45_000, async () => {
      const [started] = startedBy(await handle.describe()).filter((run) => !before.has(run));
      if (started === undefined) throw new Error('the schedule started nothing');
      return this.run(started);
    });
  }

  /** The workflows that a schedule started lately, at most ten. */
  async firedBy(handle: ScheduleHandle): Promise<WorkflowHandle[]> {
    return startedBy(await handle.describe()).map((run) => this.run(run));
  }

  /** Makes the reconciler run now; answers what it did. */
  async reconcile(): Promise<{ handle: WorkflowHandle; did: Record<string, number> }> {
    const handle = this.client.schedule.getHandle(`${this.prefix}reconcile-recurring-jobs`);
    await within(20_000, () => handle.describe());
    const run = await this.fire(handle);
    return { handle: run, did: (await run.result()) as Record<string, number> };
  }

  private run(started: string): WorkflowHandle {
    const [workflowId = '', runId] = started.split(' ');
    return this.client.workflow.getHandle(workflowId, runId);
  }

  async close(): Promise<void> {
    await this.client.connection.close();
    await this.tenant.close();
    await this.database.drop();
  }
}

/** Two that begin in the same second share a workflow id; the run id tells them apart. */
function startedBy({ info }: ScheduleDescription): string[] {
  return info.recentActions.map(({ action: { workflow } }) => `${workflow.workflowId} ${workflow.firstExecutionRunId}`);
}
