import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** What a webhook may ask for beyond the flat fields, how its endpoint fares, and the order of deliveries. */
export class Migration20261123000000_webhook_delivery extends Migration {
  override up(): void {
    this.addSql(`
    alter table "webhooks"
      add column "rate_limit_per_second" int null,
      add column "filter" jsonb null,
      add column "ordering" text not null default 'none',
      add column "ed25519_enabled" boolean not null default false,
      add column "failed_sends_in_row" int not null default 0,
      add column "breaker_opened_at" timestamptz(3) null,
      add column "breaker_probe_at" timestamptz(3) null,
      add column "rate_tokens" float8 not null default 0,
      add column "rate_refilled_at" timestamptz(3) null,
      add column "failed_deliveries_in_row" int not null default 0,
      add column "failing_since" timestamptz(3) null,
      add column "disabled_at" timestamptz(3) null,
      add column "disabled_reason" text null,
      add column "dlq_alerted_at" timestamptz(3) null,
      add column "recovery_mail_due" boolean not null default false,
      add column "recovery_mail_to" text[] not null default '{}';
    alter table "webhook_keys"
      add column "ed25519_ciphertext" bytea null,
      add column "ed25519_public" text null;
    alter table "deliveries"
      add column "event_seq" bigint null,
      add column "is_ordered" boolean not null default false,
      add column "webhook_revision" int null;
    alter table "delivery_attempts" add column "webhook_revision" int null;
    create index "deliveries_ordered_index" on "deliveries" ("webhook_id", "work_item_id", "event_seq")
      where "is_ordered" and "status" in ('pending', 'retrying');
    create table "webhook_revisions" (
      "webhook_id" int not null,
      "revision" int not null,
      "client_id" int not null,
      "endpoint_url" text not null,
      "http_method" text not null,
      "custom_headers" jsonb not null,
      "auth_type" text not null,
      "payload_version" text not null,
      "payload_template" jsonb null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("webhook_id", "revision")
    );
    insert into "webhook_revisions" (webhook_id, revision, client_id, endpoint_url, http_method, custom_headers, auth_type,
        payload_version, payload_template)
      select id, revision, client_id, endpoint_url, http_method, custom_headers, auth_type, payload_version, payload_template
      from webhooks;`);
    this.addSql(tenantWall('webhook_revisions'));
  }
}
