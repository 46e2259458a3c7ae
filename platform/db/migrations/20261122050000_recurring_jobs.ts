import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

export class Migration20261122050000_recurring_jobs extends Migration {
  override up(): void {
    this.addSql(`
    create table "recurring_jobs" (
      "id" serial primary key,
      "recurring_job_id" uuid not null,
      "client_id" int not null,
      "title" text not null,
      "item_type" text not null,
      "status" text not null default 'active',
      "schedule" jsonb not null,
      "start_date" date not null,
      "end_date" date null,
      "max_occurrences" int null,
      "template" jsonb not null,
      "occurrences_generated" int not null default 0,
      "next_occurrence_at" timestamptz(3) null,
      "paused_at" timestamptz(3) null,
      "pause_reason" text null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "revision" int not null default 1,
      "schedule_synced_revision" int not null default 0,
      "schedule_synced_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "recurring_jobs" add constraint "recurring_jobs_uuid_unique" unique ("recurring_job_id");
    create index "recurring_jobs_client_index" on "recurring_jobs" ("client_id", "id");
    create index "recurring_jobs_due_index" on "recurring_jobs" ("next_occurrence_at") where status = 'active';
    ${tenantWall('recurring_jobs')}

    create table "recurring_job_occurrences" (
      "id" bigserial primary key,
      "client_id" int not null,
      "recurring_job_id" int not null,
      "scheduled_for" timestamptz(3) not null,
      "status" text not null,
      "work_item_id" bigint null,
      "error" text null,
      "at" timestamptz(3) not null default now()
    );
    -- Two items for one occurrence are impossible, whoever asks for them and how often.
    alter table "recurring_job_occurrences" add constraint "recurring_job_occurrences_unique"
      unique ("recurring_job_id", "scheduled_for");
    create index "recurring_job_occurrences_at_index" on "recurring_job_occurrences" ("recurring_job_id", "at");
    create index "recurring_job_occurrences_item_index" on "recurring_job_occurrences" ("work_item_id");
    ${tenantWall('recurring_job_occurrences')}
    grant usage, select on all sequences in schema public to app, system;`);
  }
}
