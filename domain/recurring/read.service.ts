import { isoMoment } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { NEXT_OCCURRENCES } from '../contracts/recurring.ts';
import type { ListRecurringJobsInput, RecurringJob, RecurringRun } from '../contracts/recurring.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, upcoming, viewOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';

const GET = statement(`select ${COLUMNS} from recurring_jobs where client_id = $1 and recurring_job_id = $2`);
const LAST_RUN = statement(`
  select o.scheduled_for, o.status, o.error, o.at, w.work_item_id
  from recurring_jobs j
    join recurring_job_occurrences o on o.client_id = j.client_id and o.recurring_job_id = j.id
    left join work_items w on w.client_id = o.client_id and w.id = o.work_item_id
  where j.client_id = $1 and j.recurring_job_id = $2 order by o.at desc, o.id desc limit 1`);
const MATCHES = `client_id = $1 and ($2::text is null or status = $2) and ($3::text is null or item_type = $3)
  and ($4::text is null or strpos(lower(title), lower($4)) > 0)`;
const LIST = statement(`select ${COLUMNS} from recurring_jobs where ${MATCHES} order by id desc limit $5 offset $6`);
const COUNT = statement(`select count(*) as total from recurring_jobs where ${MATCHES}`);

interface RunRow extends Record<string, unknown> {
  scheduled_for: Date;
  status: RecurringRun['status'];
  error: string | null;
  at: Date;
  work_item_id: string | null;
}

type RecurringJobWithRuns = RecurringJob & {
  next_occurrences: string[];
  last_run: RecurringRun | null;
  schedule_error: string | null;
};

/** One recurring job, what it did last and what comes next. */
export async function getRecurringJob(tx: TenantTransaction, id: string): Promise<RecurringJobWithRuns> {
  const [[row], [run]] = await Promise.all([
    tx.query<RecurringJobRow>(GET, [tx.clientId, id]),
    tx.query<RunRow>(LAST_RUN, [tx.clientId, id]),
  ]);
  if (row === undefined) throw ApiError.notFound('recurring job', id);
  return {
    ...viewOf(row),
    next_occurrences: upcoming(row, NEXT_OCCURRENCES),
    last_run: run === undefined ? null : runOf(run),
    schedule_error: row.schedule_error,
  };
}

/** Newest first. */
export async function listRecurringJobs(
  tx: TenantTransaction,
  input: ListRecurringJobsInput,
): Promise<{ jobs: RecurringJob[]; pagination: Page }> {
  const filter = [tx.clientId, input.status ?? null, input.item_type ?? null, input.search ?? null];
  const { limit, offset } = input;
  const [rows, [count]] = await Promise.all([
    tx.query<RecurringJobRow>(LIST, [...filter, limit, offset]),
    tx.query<{ total: number }>(COUNT, filter),
  ]);
  return { jobs: rows.map(viewOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

function runOf({ scheduled_for, status, error, at, work_item_id }: RunRow): RecurringRun {
  return { scheduled_for: isoMoment(scheduled_for), status, work_item_id, error, at: isoMoment(at) };
}
