import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import assert from 'node:assert/strict';
import { CreateWorkItem } from '../../domain/contracts/work-items.ts';
import type { WorkItem } from '../../domain/contracts/work-items.ts';
import { CreateWorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import type { WorkflowRun, WorkflowRunWithSteps, WorkflowTemplate } from '../../domain/contracts/workflow-templates.ts';
import { createWorkItem } from '../../domain/work-items/index.ts';
import {
  cancelRun,
  createTemplate,
  getRunWithSteps,
  listRuns,
  runTemplate,
} from '../../domain/workflow-templates/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { processEnvironment, spawnProcess, temporalAddress, testDatabase } from '../support/stack.ts';
import type { SpawnedProcess, TestDatabase } from '../support/stack.ts';
import { within } from '../support/within.ts';
import { MASTER_KEY, Tenant } from './tenant.ts';

/** A worker process with a client whose templates it runs. */
export class TemplateStand {
  readonly tenant: Tenant;
  readonly client: Client;
  worker!: SpawnedProcess;
  readonly #database: TestDatabase;
  readonly #connection: Connection;

  private constructor(database: TestDatabase, tenant: Tenant, connection: Connection) {
    this.#database = database;
    this.#connection = connection;
    this.tenant = tenant;
    this.client = new Client({ connection });
  }

  static async start(): Promise<TemplateStand> {
    const database = await testDatabase();
    const tenant = await Tenant.create(database);
    const connection = await Connection.connect({ address: temporalAddress() });
    const stand = new TemplateStand(database, tenant, connection);
    await stand.startWorker();
    return stand;
  }

  async close(): Promise<void> {
    await this.worker.stop();
    await this.#connection.close();
    await this.tenant.close();
    await this.#database.drop();
  }

  async startWorker(): Promise<void> {
    const environment = processEnvironment(this.#database, { MASTER_KEY });
    this.worker = await spawnProcess('worker/main.ts', environment, { args: ['--queue', 'platform'] });
  }

  template(config: object, fields: object = {}): Promise<WorkflowTemplate> {
    const input = CreateWorkflowTemplate.parse({ name: 'T', module: 'm', status: 'active', config, ...fields });
    const { tenants, clientId, caller } = this.tenant;
    return tenants.transaction(clientId, (tx) => createTemplate(tx, caller, input));
  }

  item(fields: object): Promise<WorkItem> {
    const input = CreateWorkItem.parse({ item_type: 'job', title: 'Pump', ...fields });
    const { tenants, clientId, caller } = this.tenant;
    return tenants.transaction(clientId, (tx) => createWorkItem(tx, caller, input));
  }

  start(
    { id }: WorkflowTemplate,
    input: { work_item_id?: string; data?: Record<string, unknown> },
  ): Promise<WorkflowRun> {
    const { tenants, clientId, caller } = this.tenant;
    return tenants.transaction(clientId, (tx) => runTemplate(tx, caller, id, input));
  }

  cancel({ id }: WorkflowTemplate, runId: string): Promise<WorkflowRun> {
    const { tenants, clientId, caller } = this.tenant;
    return tenants.transaction(clientId, (tx) => cancelRun(tx, caller, id, runId));
  }

  async runsOf({ id }: WorkflowTemplate): Promise<WorkflowRun[]> {
    const { tenants, clientId } = this.tenant;
    return (await listRuns(tenants.reader(clientId), id, { limit: 50, offset: 0 })).runs;
  }

  /** The template's only run, once it has got as far as `status`. */
  onlyRun(of: WorkflowTemplate, status: WorkflowRun['status'] = 'completed'): Promise<WorkflowRunWithSteps> {
    return within(20_000, async () => {
      const runs = await this.runsOf(of);
      assert.deepEqual(
        runs.map((run) => run.status),
        [status],
      );
      return getRunWithSteps(this.tenant.tenants.reader(this.tenant.clientId), of.id, runs[0]?.run_id ?? '');
    });
  }

  handleOf({ id }: WorkflowTemplate, runId: string): WorkflowHandle {
    return this.client.workflow.getHandle(`workflow-template/${String(id)}/${runId}`);
  }

  /** The workflow of the template's only run, once Temporal shows it with a status that fits. */
  async ended(made: WorkflowTemplate, status: RegExp): Promise<WorkflowHandle> {
    const [run] = await this.runsOf(made);
    const handle = this.handleOf(made, run?.run_id ?? '');
    await within(15_000, async () => {
      assert.match((await handle.describe()).status.name, status);
    });
    return handle;
  }

  triggerSchedule(): Promise<void> {
    const name = `${this.#database.name}-start-scheduled-templates`;
    return within(15_000, () => this.client.schedule.getHandle(name).trigger());
  }

  async rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return this.tenant.system.query(statement(sql), values);
  }
}
