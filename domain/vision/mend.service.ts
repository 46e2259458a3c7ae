import { requestWorkflowStartOf } from '../outbox/index.ts';
import type { SystemDatabase, TenantDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { admitJobs } from './admission.service.ts';
import type { VisionEnvironment } from './admission.service.ts';
import { visionWorkflow } from './steps.rules.ts';
import type { VisionJob } from './steps.rules.ts';

const BATCH = 500;
/** A call that is under way for so long is asked for once more: its workflow may be gone. */
const LONG_UNDER_WAY = `interval '10 minutes'`;

interface WaitingClient extends Record<string, unknown> {
  client_id: number;
  environments: VisionEnvironment[];
}

interface OpenCall extends VisionJob, Record<string, unknown> {
  id: number;
  client_id: number;
  request_id: string;
}

const WAITING_CLIENTS = statement(`
  select client_id, array_agg(distinct environment) as environments from vision_requests
  where is_async and status = 'queued' and admitted_at is null and client_id > $1
  group by client_id order by client_id limit ${String(BATCH)}`);
const LONG_OPEN = statement(`
  select id, client_id, request_id, operation, options, is_async from vision_requests
  where status in ('queued', 'running') and admitted_at < now() - ${LONG_UNDER_WAY} and id > $1
  order by id limit ${String(BATCH)}`);

/**
 * Starts waiting jobs of clients that have room for them: of one whose tier was raised nothing else would, before one of
 * its jobs ends. `goOn` is told of each client; answers how many there were.
 */
export async function admitWaiting(
  { system, tenants }: { system: SystemDatabase; tenants: TenantDatabase },
  goOn: () => void,
): Promise<number> {
  let [count, last] = [0, 0];
  for (;;) {
    const clients = await system.query<WaitingClient>(WAITING_CLIENTS, [last]);
    for (const { client_id: clientId, environments } of clients) {
      for (const environment of environments) await tenants.transaction(clientId, (tx) => admitJobs(tx, environment));
      last = clientId;
      goOn();
    }
    count += clients.length;
    if (clients.length < BATCH) return count;
  }
}

/**
 * Asks once more for the workflows of calls that are long under way, and answers how many. Where the workflow is running
 * this starts nothing; where it is gone (Temporal was replaced, an operator has terminated it) or has ended, as
 * after a restore of this database, the call goes on with the pages that were not read yet, on the credits that are held.
 */
export async function restartStranded(system: SystemDatabase, goOn: () => void): Promise<number> {
  let [count, last] = [0, 0];
  for (;;) {
    const calls = await system.transaction(async (tx) => {
      const rows = await tx.query<OpenCall>(LONG_OPEN, [last]);
      for (const row of rows) {
        requestWorkflowStartOf(tx, row.client_id, visionWorkflow(row.client_id, row.request_id, row));
      }
      return rows;
    });
    count += calls.length;
    last = calls.at(-1)?.id ?? last;
    goOn();
    if (calls.length < BATCH) return count;
  }
}
