import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

const TENANT_TABLES = [
  'work_item_comments',
  'work_item_attachments',
  'unclaimed_blobs',
  'work_item_time_entries',
  'appointments',
  'threads',
  'thread_participants',
  'thread_messages',
] as const;

/** What people add to work items (comments, files, time, appointments), and the threads in which they write to each other. */
export class Migration20261122020000_collaboration extends Migration {
  override up(): void {
    this.addSql(ON_WORK_ITEMS);
    this.addSql(THREADS);
    for (const table of TENANT_TABLES) this.addSql(tenantWall(table));
    this.addSql(`grant usage, select on all sequences in schema public to app, system;`);
  }
}

const ON_WORK_ITEMS = `
    create table "work_item_comments" (
      "id" bigserial primary key,
      "client_id" int not null,
      "work_item_id" bigint not null,
      "body" text not null,
      "comment_type" text not null default 'general',
      "is_internal" boolean not null default false,
      "user_id" int null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "deleted_at" timestamptz(3) null,
      "deleted_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "work_item_comments_item_index" on "work_item_comments" ("work_item_id", "id") where "deleted_at" is null;
    create table "work_item_attachments" (
      "id" bigserial primary key,
      "client_id" int not null,
      "work_item_id" bigint not null,
      "file_name" text not null,
      "content_type" text not null,
      "size" bigint not null,
      "sha256" text not null,
      "blob_key" text not null,
      "user_id" int null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "deleted_at" timestamptz(3) null,
      "deleted_by" text null,
      "created_at" timestamptz(3) not null default now()
    );
    alter table "work_item_attachments" add constraint "work_item_attachments_blob_unique" unique ("blob_key");
    create index "work_item_attachments_item_index" on "work_item_attachments" ("work_item_id", "id") where "deleted_at" is null;
    create table "unclaimed_blobs" (
      "blob_key" text not null,
      "client_id" int not null,
      "remove_after" timestamptz(3) not null,
      primary key ("blob_key")
    );
    create index "unclaimed_blobs_age_index" on "unclaimed_blobs" ("remove_after");
    create table "work_item_time_entries" (
      "id" bigserial primary key,
      "client_id" int not null,
      "work_item_id" bigint not null,
      "user_id" int null,
      "started_at" timestamptz(3) not null,
      "ended_at" timestamptz(3) not null,
      "duration_minutes" int not null,
      "description" text null,
      "is_billable" boolean not null default false,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "work_item_time_entries_item_index" on "work_item_time_entries" ("work_item_id", "id");
    create table "appointments" (
      "id" bigserial primary key,
      "client_id" int not null,
      "work_item_id" bigint null,
      "title" text not null,
      "scheduled_start" timestamptz(3) not null,
      "scheduled_end" timestamptz(3) null,
      "contact_id" int null,
      "assigned_to" int null,
      "location_name" text null,
      "notes" text null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "deleted_at" timestamptz(3) null,
      "deleted_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "appointments_start_index" on "appointments" ("client_id", "scheduled_start", "id") where "deleted_at" is null;
    create index "appointments_assignee_index" on "appointments" ("client_id", "assigned_to", "scheduled_start", "id") where "deleted_at" is null;
    create index "appointments_item_index" on "appointments" ("work_item_id", "id") where "deleted_at" is null;`;

// A thread without a subject is the one conversation of its participants: the digest of their ids is unique per client.
const THREADS = `
    create table "threads" (
      "thread_id" uuid not null,
      "client_id" int not null,
      "subject" text null,
      "participants_digest" bytea null,
      "last_message_id" bigint null,
      "last_message_at" timestamptz(3) null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("thread_id")
    );
    alter table "threads" add constraint "threads_participants_unique" unique ("client_id", "participants_digest");
    create table "thread_participants" (
      "thread_id" uuid not null,
      "user_id" int not null,
      "client_id" int not null,
      "joined_at" timestamptz(3) not null default now(),
      primary key ("thread_id", "user_id")
    );
    create index "thread_participants_user_index" on "thread_participants" ("client_id", "user_id", "thread_id");
    create table "thread_messages" (
      "id" bigserial primary key,
      "client_id" int not null,
      "thread_id" uuid not null,
      "sender_id" int null,
      "body" text not null,
      "attachments" jsonb not null default '[]',
      "created_by_type" text not null,
      "created_by_id" text not null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "thread_messages_thread_index" on "thread_messages" ("thread_id", "id");`;
