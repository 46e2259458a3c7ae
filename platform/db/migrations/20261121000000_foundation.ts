import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** Tables that hold a tenant's rows: role `app` sees those of the transaction's client only. */
const TENANT_TABLES = [
  'api_keys',
  'audit_entries',
  'contacts',
  'credit_entries',
  'deliveries',
  'delivery_attempts',
  'employees',
  'events',
  'refresh_tokens',
  'users',
  'vision_requests',
  'webhooks',
  'webhook_keys',
  'workflow_starts',
  'work_items',
  'work_item_assignees',
  'work_item_contractors',
  'work_item_relationships',
];

/** Rows that the app role may add and read but never change or remove. */
const APPEND_ONLY = new Set(['audit_entries', 'credit_entries', 'events']);

export class Migration20261121000000_foundation extends Migration {
  override up(): void {
    this.addSql(ROLES);
    this.addSql(TABLES);
    this.addSql(TENANT_FUNCTIONS);
    for (const table of TENANT_TABLES) this.addSql(tenantWall(table, APPEND_ONLY.has(table) ? 'append-only' : 'any'));
    this.addSql(SYSTEM_TABLES);
  }
}

/**
 * `app` serves requests, `system` serves look-ups before authentication, the relay and maintenance. Neither owns a
 * table, is superuser, or bypasses row-level security (decisions §1).
 */
const ROLES = `
    do $$ begin
      if not exists (select from pg_roles where rolname = 'app') then create role app nologin; end if;
      if not exists (select from pg_roles where rolname = 'system') then create role system nologin; end if;
      if not pg_has_role(current_user, 'app', 'member') then execute format('grant app to %I', current_user); end if;
      if not pg_has_role(current_user, 'system', 'member') then execute format('grant system to %I', current_user); end if;
    end $$;
    grant usage on schema public to app, system;
    create schema item_numbers;`;

const TENANT_FUNCTIONS = `
    -- The tenant of the transaction, or null outside one (and then no row is visible).
    create function app_client_id() returns int language sql stable parallel safe
      as $$ select nullif(current_setting('app.client_id', true), '')::int $$;

    -- The next number of the transaction's client for one item type. A sequence each: ascending, and creates never wait
    -- for one another (gaps are allowed). Runs as its owner because the app role may create nothing.
    create function next_item_number(item_type text) returns bigint language plpgsql security definer
      set search_path = pg_catalog, public as $$
      declare
        sequence_name text := format('item_numbers.client_%s_%s', app_client_id(), item_type);
      begin
        if app_client_id() is null or item_type !~ '^[a-z]{1,20}$' then
          raise exception 'next_item_number needs a tenant and an item type';
        end if;
        if to_regclass(sequence_name) is null then
          perform pg_advisory_xact_lock(hashtext(sequence_name));
          execute format('create sequence if not exists %s', sequence_name);
        end if;
        return nextval(sequence_name::regclass);
      end $$;
    revoke all on function next_item_number(text) from public;
    grant execute on function next_item_number(text) to app;`;

/** `clients` shows each tenant itself only; `auth_failures` is written before anyone is known. */
const SYSTEM_TABLES = `
    alter table clients enable row level security;
    alter table clients force row level security;
    create policy tenant on clients to app using (id = app_client_id());
    create policy every_tenant on clients to system using (true) with check (true);
    grant select on clients to app;
    grant select, insert, update, delete on clients, auth_failures to system;
    grant usage, select on all sequences in schema public to app, system;`;

const TABLES = `
    create table "api_keys" (
      "id" serial primary key,
      "client_id" int not null,
      "user_id" int not null,
      "key_name" text not null,
      "description" text null,
      "display_name" text null,
      "avatar_url" text null,
      "key_type" text not null default 'integration',
      "environment" text not null default 'production',
      "is_active" boolean not null default true,
      "scopes" text[] not null default '{}',
      "allowed_ips" text[] not null default '{}',
      "rate_limit_per_minute" int null,
      "last_used_at" timestamptz(3) null,
      "expires_at" timestamptz(3) null,
      "key_hash" bytea not null,
      "key_ciphertext" bytea not null,
      "master_key_id" text not null,
      "api_key_masked" text not null,
      "deleted_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "api_keys" add constraint "api_keys_hash_unique" unique ("key_hash");
    alter table "api_keys" add constraint "api_keys_name_unique" unique ("client_id", "key_name");
    create table "audit_entries" (
      "id" bigserial primary key,
      "client_id" int not null,
      "at" timestamptz(3) not null default now(),
      "actor_type" text not null,
      "actor_id" text not null,
      "action" text not null,
      "subject_type" text not null,
      "subject_id" text not null,
      "address" text null,
      "details" jsonb null
    );
    create index "audit_entries_subject_index" on "audit_entries" ("client_id", "subject_type", "subject_id", "id");
    create table "auth_failures" (
      "id" bigserial primary key,
      "subject" text not null,
      "at" timestamptz(3) not null default now()
    );
    create index "auth_failures_subject_index" on "auth_failures" ("subject", "at");
    create table "clients" (
      "id" serial primary key,
      "slug" text not null,
      "name" text not null,
      "tier" text not null default 'free',
      "finance_tier" text not null default 'none',
      "production_api_enabled" boolean not null default false,
      "country" text not null default 'ZA',
      "currency" text not null default 'ZAR',
      "timezone" text not null default 'Africa/Johannesburg',
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "clients" add constraint "clients_slug_unique" unique ("slug");
    create table "contacts" (
      "id" serial primary key,
      "client_id" int not null,
      "contact_type" text not null default 'customer',
      "name" text not null,
      "email" text null,
      "phone" text null,
      "mobile" text null,
      "address" text null,
      "city" text null,
      "postal_code" text null,
      "country" text null,
      "tax_number" text null,
      "registration_number" text null,
      "website" text null,
      "notes" text null,
      "is_active" boolean not null default true,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "contacts_client_index" on "contacts" ("client_id", "id");
    create table "credit_entries" (
      "id" bigserial primary key,
      "client_id" int not null,
      "reference" text not null,
      "step" text not null,
      "amount" numeric(12,2) not null,
      "balance_after" numeric(14,2) not null,
      "bundle" text null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "credit_entries_client_index" on "credit_entries" ("client_id", "id");
    alter table "credit_entries" add constraint "credit_entries_step_unique" unique ("client_id", "reference", "step");
    create table "deliveries" (
      "id" bigserial primary key,
      "client_id" int not null,
      "webhook_id" int null,
      "event_id" uuid not null,
      "event_type" text not null,
      "work_item_id" bigint null,
      "lane" text not null,
      "target" jsonb null,
      "status" text not null default 'pending',
      "round" int not null default 1,
      "sends" int not null default 0,
      "response_status" int null,
      "response_body" text null,
      "error_message" text null,
      "duration_ms" int null,
      "leased_until" timestamptz(3) null,
      "next_attempt_at" timestamptz(3) null,
      "dlq_at" timestamptz(3) null,
      "dlq_reason" text null,
      "created_at" timestamptz(3) not null default now(),
      "delivered_at" timestamptz(3) null
    );
    create index "deliveries_pending_index" on "deliveries" ("lane", "id") where "status" = 'pending';
    create index "deliveries_log_index" on "deliveries" ("client_id", "webhook_id", "id");
    alter table "deliveries" add constraint "deliveries_event_webhook_unique" unique ("event_id", "webhook_id");
    create table "delivery_attempts" (
      "delivery_id" bigint not null,
      "round" int not null,
      "send_number" int not null,
      "client_id" int not null,
      "at" timestamptz(3) not null,
      "duration_ms" int not null,
      "response_status" int null,
      "response_body" text null,
      "error_message" text null,
      primary key ("delivery_id", "round", "send_number")
    );
    create table "employees" (
      "id" serial primary key,
      "client_id" int not null,
      "user_id" int null,
      "employee_number" text not null,
      "first_name" text not null,
      "last_name" text not null,
      "email" text null,
      "department" text null,
      "job_title" text null,
      "manager_id" int null,
      "is_active" boolean not null default true,
      "hired_on" date null,
      "terminated_on" date null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "employees_manager_index" on "employees" ("client_id", "manager_id");
    alter table "employees" add constraint "employees_number_unique" unique ("client_id", "employee_number");
    create table "events" (
      "id" bigserial primary key,
      "client_id" int not null,
      "event_id" uuid not null,
      "name" text not null,
      "work_item_id" bigint null,
      "data" json not null,
      "occurred_at" timestamptz(3) not null default now(),
      "dispatched_at" timestamptz(3) null
    );
    create index "events_undispatched_index" on "events" ("id") where "dispatched_at" is null;
    create index "events_client_index" on "events" ("client_id", "id");
    alter table "events" add constraint "events_event_id_unique" unique ("event_id");
    create table "refresh_tokens" (
      "id" bigserial primary key,
      "client_id" int not null,
      "user_id" int not null,
      "family_id" uuid not null,
      "token_hash" bytea not null,
      "expires_at" timestamptz(3) not null,
      "used_at" timestamptz(3) null,
      "revoked_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "refresh_tokens_family_index" on "refresh_tokens" ("family_id");
    create index "refresh_tokens_expiry_index" on "refresh_tokens" ("expires_at");
    alter table "refresh_tokens" add constraint "refresh_tokens_hash_unique" unique ("token_hash");
    create table "users" (
      "id" serial primary key,
      "client_id" int not null,
      "email" text not null,
      "name" text not null,
      "given_name" text null,
      "family_name" text null,
      "picture" text null,
      "email_verified" boolean not null default false,
      "password_hash" text not null,
      "role" text not null default 'member',
      "is_active" boolean not null default true,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "users_client_index" on "users" ("client_id", "id");
    create unique index "users_email_unique" on "users" (lower("email"));
    create table "vision_requests" (
      "id" bigserial primary key,
      "request_id" uuid not null,
      "client_id" int not null,
      "operation" text not null,
      "environment" text not null default 'production',
      "status" text not null default 'queued',
      "is_async" boolean not null default false,
      "webhook_url" text null,
      "api_key_id" int null,
      "options" jsonb not null default '{}',
      "source_blob" text not null,
      "document_type" text null,
      "pages_total" int null,
      "pages_read" int[] not null default '{}',
      "result" jsonb null,
      "error_code" text null,
      "error_message" text null,
      "credits_used" numeric(12,2) not null default 0,
      "processing_time_ms" int null,
      "created_at" timestamptz(3) not null default now(),
      "finished_at" timestamptz(3) null
    );
    create index "vision_requests_client_index" on "vision_requests" ("client_id", "id");
    alter table "vision_requests" add constraint "vision_requests_request_unique" unique ("request_id");
    create table "webhooks" (
      "id" serial primary key,
      "client_id" int not null,
      "name" text not null,
      "description" text null,
      "endpoint_url" text not null,
      "http_method" text not null default 'POST',
      "auth_type" text not null default 'hmac',
      "auth_credentials_ciphertext" bytea null,
      "custom_headers" jsonb not null default '{}',
      "events" text[] not null default '{}',
      "item_type_filter" text null,
      "item_subtype_filter" text null,
      "status_filter" text null,
      "retry_count" int not null default 5,
      "retry_delay_seconds" int not null default 0,
      "timeout_seconds" int not null default 30,
      "is_active" boolean not null default true,
      "verification_status" text not null default 'verified',
      "verified_at" timestamptz(3) null,
      "last_triggered_at" timestamptz(3) null,
      "last_success_at" timestamptz(3) null,
      "last_failure_at" timestamptz(3) null,
      "success_count" bigint not null default '0',
      "failure_count" bigint not null default '0',
      "payload_version" text not null default 'latest',
      "payload_template" jsonb null,
      "current_key_version" int not null default 1,
      "grace_period_ends_at" timestamptz(3) null,
      "dlq_alert_enabled" boolean not null default false,
      "dlq_alert_threshold" int not null default 10,
      "dlq_alert_email" text null,
      "revision" int not null default 1,
      "created_by_user_id" int not null,
      "deleted_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "webhooks_revision_index" on "webhooks" ("client_id", "revision");
    create index "webhooks_client_index" on "webhooks" ("client_id", "id") where "deleted_at" is null;
    create table "webhook_keys" (
      "webhook_id" int not null,
      "key_version" int not null,
      "client_id" int not null,
      "secret_ciphertext" bytea not null,
      "secret_prefix" text not null,
      "expires_at" timestamptz(3) null,
      "deactivated_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("webhook_id", "key_version")
    );
    create table "workflow_starts" (
      "id" bigserial primary key,
      "client_id" int not null,
      "workflow_id" text not null,
      "workflow_type" text not null,
      "task_queue" text not null,
      "input" jsonb not null,
      "available_at" timestamptz(3) not null default now(),
      "attempts" int not null default 0,
      "last_error" text null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "workflow_starts_available_index" on "workflow_starts" ("available_at");
    alter table "workflow_starts" add constraint "workflow_starts_workflow_unique" unique ("workflow_id");
    create table "work_items" (
      "id" bigserial primary key,
      "work_item_id" uuid not null,
      "client_id" int not null,
      "item_number" text not null,
      "item_type" text not null,
      "item_subtype" text null,
      "module_context" text null,
      "title" text not null,
      "description" text null,
      "status" text not null,
      "priority" text not null,
      "contact_id" int null,
      "contact_name" text null,
      "contact_email" text null,
      "contact_phone" text null,
      "contact_person_id" int null,
      "contact_person" text null,
      "location_id" int null,
      "location_name" text null,
      "location_address" text null,
      "location_coordinates" jsonb null,
      "reporter_id" int null,
      "reporter_name" text null,
      "reporter_email" text null,
      "reporter_phone" text null,
      "assigned_to" int null,
      "assigned_team" uuid null,
      "scheduled_start" timestamptz(3) null,
      "scheduled_end" timestamptz(3) null,
      "start_date" timestamptz(3) null,
      "due_date" timestamptz(3) null,
      "estimated_hours" numeric(12,2) null,
      "tags" text[] not null default '{}',
      "custom_fields" jsonb not null default '{}',
      "notes" text null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "completed_at" timestamptz(3) null,
      "closed_at" timestamptz(3) null,
      "deleted_at" timestamptz(3) null,
      "deleted_by" text null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "work_items_client_index" on "work_items" ("client_id", "id") where "deleted_at" is null;
    create index "work_items_status_index" on "work_items" ("client_id", "item_type", "status", "id") where "deleted_at" is null;
    alter table "work_items" add constraint "work_items_uuid_unique" unique ("work_item_id");
    alter table "work_items" add constraint "work_items_number_unique" unique ("client_id", "item_type", "item_number");
    create table "work_item_assignees" (
      "work_item_id" bigint not null,
      "user_id" int not null,
      "client_id" int not null,
      primary key ("work_item_id", "user_id")
    );
    create index "work_item_assignees_user_index" on "work_item_assignees" ("client_id", "user_id", "work_item_id");
    create table "work_item_contractors" (
      "work_item_id" bigint not null,
      "contact_id" int not null,
      "client_id" int not null,
      primary key ("work_item_id", "contact_id")
    );
    create table "work_item_relationships" (
      "work_item_id" bigint not null,
      "related_id" bigint not null,
      "relationship_type" text not null,
      "client_id" int not null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("work_item_id", "related_id", "relationship_type")
    );
    create index "work_item_relationships_related_index" on "work_item_relationships" ("related_id", "relationship_type");`;
