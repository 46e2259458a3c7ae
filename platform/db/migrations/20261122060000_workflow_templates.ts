import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** Workflow templates, their runs and the steps that were done; and which templates an event came through. */
export class Migration20261122060000_workflow_templates extends Migration {
  override up(): void {
    this.addSql(TABLES);
    this.addSql(AUTOMATION_PATH);
    for (const table of ['workflow_templates', 'workflow_runs', 'workflow_run_steps']) this.addSql(tenantWall(table));
    this.addSql('grant usage, select on all sequences in schema public to app, system;');
  }
}

const TABLES = `
    create table "workflow_templates" (
      "id" serial primary key,
      "client_id" int not null,
      "name" text not null,
      "description" text null,
      "module" text not null,
      "type" text not null,
      "trigger_type" text not null,
      "trigger_event" text null,
      "status" text not null,
      "config" jsonb not null,
      "solution_key" text null,
      "next_run_at" timestamptz(3) null,
      "revision" int not null default 1,
      "deleted_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "workflow_templates_client_index" on "workflow_templates" ("client_id", "id") where "deleted_at" is null;
    create index "workflow_templates_trigger_index" on "workflow_templates" ("client_id", "trigger_event") where "status" = 'active' and "deleted_at" is null;
    create index "workflow_templates_due_index" on "workflow_templates" ("next_run_at") where "status" = 'active' and "deleted_at" is null;
    create unique index "workflow_templates_solution_unique" on "workflow_templates" ("client_id", "solution_key", "name") where "solution_key" is not null and "deleted_at" is null;
    create table "workflow_runs" (
      "id" bigserial primary key,
      "run_id" uuid not null,
      "client_id" int not null,
      "template_id" int not null,
      "trigger" text not null,
      "event_id" uuid null,
      "work_item_id" bigint null,
      "status" text not null default 'queued',
      "steps" jsonb not null,
      "data" jsonb not null,
      "automation_path" int[] not null default '{}',
      "error" text null,
      "cancel_requested_at" timestamptz(3) null,
      "started_at" timestamptz(3) null,
      "finished_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now()
    );
    alter table "workflow_runs" add constraint "workflow_runs_run_unique" unique ("run_id");
    alter table "workflow_runs" add constraint "workflow_runs_event_unique" unique ("template_id", "event_id");
    create index "workflow_runs_template_index" on "workflow_runs" ("client_id", "template_id", "id");
    create table "workflow_run_steps" (
      "run_id" bigint not null,
      "path" text not null,
      "client_id" int not null,
      "type" text not null,
      "name" text null,
      "result" jsonb not null default '{}',
      "at" timestamptz(3) not null default now(),
      primary key ("run_id", "path")
    );`;

// A run says in its transactions which templates led to it (app.automation_path); what they record carries that on, so
// that no template starts itself, however long the way round.
const AUTOMATION_PATH = `
    create function automation_path() returns int[] language sql stable parallel safe
      as $$ select coalesce(nullif(current_setting('app.automation_path', true), '')::int[], '{}') $$;
    alter table "events" add column "automation_path" int[] not null default automation_path();`;
