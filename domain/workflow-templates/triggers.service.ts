import { createHash } from 'node:crypto';
import { audit } from '../audit/index.ts';
import { isoMoment } from '../contracts/common.ts';
import type { TemplateConfigInput } from '../contracts/workflow-templates.ts';
import { meets } from '../expressions/index.ts';
import { requestWorkflowStartOf } from '../outbox/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { startOf } from './runs.service.ts';
import { nextRunAt } from './schedule.ts';

/** Most scheduled templates that one transaction starts. */
const MAX_DUE = 100;
/** What is due and was not started within this time is let go, as with recurring jobs. */
const CATCH_UP_MS = 24 * 3_600_000;
/** How many templates may lead to one another; a longer chain ends there. */
const MAX_CHAIN = 5;

// A template doesn't hear of what its own run did, however long the way round.
const TRIGGERED = statement(`
  select e.event_id, e.client_id, e.automation_path, t.id, t.name, t.config
  from events e join workflow_templates t on t.client_id = e.client_id and t.trigger_event = e.name
    and t.status = 'active' and t.deleted_at is null
  where e.id = any($1::bigint[]) and e.occurred_at >= t.created_at
    and not t.id = any (e.automation_path) and cardinality(e.automation_path) < ${String(MAX_CHAIN)}`);
// A run of the same event, or of the same time (a template that was changed while the clocks of two processes differed),
// is there already.
const INSERT = statement(`
  insert into workflow_runs (run_id, client_id, template_id, trigger, event_id, work_item_id, steps, data, automation_path)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`);

// Locked, so that two workers don't start the same run; skipped by the second, who comes again in a minute anyway.
const DUE = statement(`
  select t.id, t.client_id, t.name, t.config, t.next_run_at, c.timezone
  from workflow_templates t join clients c on c.id = t.client_id
  where t.status = 'active' and t.deleted_at is null and t.next_run_at <= $1
  order by t.next_run_at limit ${String(MAX_DUE)} for update of t skip locked`);
const ADVANCE = statement(`update workflow_templates set next_run_at = $2 where id = $1`);

/** An event on which some template of its client waits. */
export interface TriggerEvent {
  id: number;
  event_id: string;
  name: string;
  work_item_id: number | null;
  data_text: string;
}

interface TriggeredRow extends Record<string, unknown> {
  event_id: string;
  client_id: number;
  automation_path: number[];
  id: number;
  name: string;
  config: TemplateConfigInput;
}

/** Starts a run of each template that waits on one of the events, in the transaction that marks them as dispatched. */
export async function startTriggeredRuns(tx: Transaction, events: readonly TriggerEvent[]): Promise<void> {
  const byId = new Map(events.map((event) => [event.event_id, event]));
  const rows = await tx.query<TriggeredRow>(TRIGGERED, [events.map((event) => event.id)]);
  for (const row of rows) {
    const event = byId.get(row.event_id);
    if (event === undefined) continue;
    const data = JSON.parse(event.data_text) as Record<string, unknown>;
    if (!starts(row.config, data)) continue;
    const runId = runIdOf(row.id, event.event_id);
    const trigger = `event ${event.name}`;
    tx.write(INSERT, [
      runId,
      row.client_id,
      row.id,
      trigger,
      row.event_id,
      event.work_item_id,
      JSON.stringify(row.config.steps),
      event.data_text,
      [...row.automation_path, row.id],
    ]);
    const { id, name, client_id } = row;
    requestWorkflowStartOf(tx, client_id, startOf({ id, name, client_id, trigger }, runId));
  }
}

/**
 * The same for the same template and event (or time), always: should a crash of PostgreSQL undo the dispatch after the workflow was
 * started, the event's next dispatch finds that workflow. A UUID of version 8 (RFC 9562 §5.8).
 */
function runIdOf(templateId: number, cause: string): string {
  const hex = createHash('sha256')
    .update(`${String(templateId)}/${cause}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

interface DueRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  name: string;
  config: TemplateConfigInput;
  next_run_at: Date;
  timezone: string;
}

/**
 * Starts one run of each scheduled template whose time has come, and sets its next time, which may have come as well: times
 * that passed while no worker was there each make a run, late. `handled` of 0: nothing is due any more.
 */
export async function startScheduledRuns(
  system: SystemDatabase,
  now: number,
): Promise<{ started: number; handled: number }> {
  return system.transaction(async (tx) => {
    const rows = await tx.query<DueRow>(DUE, [new Date(now)]);
    const since = now - CATCH_UP_MS;
    let started = 0;
    for (const row of rows) {
      const { id, client_id, name, config, next_run_at, timezone } = row;
      if (next_run_at.getTime() < since) {
        letGo(tx, row, since);
        continue;
      }
      const at = next_run_at.toISOString();
      const runId = runIdOf(id, at);
      const trigger = `schedule ${at}`;
      const data = JSON.stringify({ scheduled_for: at });
      tx.write(INSERT, [runId, client_id, id, trigger, null, null, JSON.stringify(config.steps), data, [id]]);
      tx.write(ADVANCE, [id, nextRunAt('schedule', config, timezone, next_run_at)]);
      requestWorkflowStartOf(tx, client_id, startOf({ id, name, client_id, trigger }, runId));
      started += 1;
    }
    return { started, handled: rows.length };
  });
}

/** Goes on with the first time that is not too late. */
function letGo(tx: Transaction, { id, client_id, config, next_run_at, timezone }: DueRow, since: number): void {
  const actor = { type: 'system', id: `workflow-template/${String(id)}` } as const;
  audit(
    tx,
    { clientId: client_id, actor, address: null },
    {
      action: 'workflow_template.occurrences_missed',
      subjectType: 'workflow_template',
      subjectId: String(id),
      details: { from: isoMoment(next_run_at), before: isoMoment(new Date(since)) },
    },
  );
  tx.write(ADVANCE, [id, nextRunAt('schedule', config, timezone, new Date(since - 1))]);
}

function starts(
  { condition, inbound_webhook_id }: TemplateConfigInput,
  data: Readonly<Record<string, unknown>>,
): boolean {
  if (inbound_webhook_id !== undefined) {
    const hook = data['inbound_webhook'] as { id?: unknown } | undefined;
    if (hook?.id !== inbound_webhook_id) return false;
  }
  return condition === undefined || meets(data, condition);
}
