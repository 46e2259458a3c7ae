import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

const TABLES_OF_TENANTS = [
  'inbound_webhooks',
  'inbound_webhook_counts',
  'inbound_receipts',
  'inbound_links',
  'vehicle_locations',
];

/** Inbound webhooks, what was posted to them, and where vehicles are. */
export class Migration20261123040000_inbound_webhooks extends Migration {
  override up(): void {
    this.addSql(TABLES);
    for (const table of TABLES_OF_TENANTS) this.addSql(tenantWall(table));
    this.addSql('grant usage, select on all sequences in schema public to app, system;');
  }
}

const TABLES = `
    create table "inbound_webhooks" (
      "id" uuid not null primary key,
      "client_id" int not null,
      "name" text not null,
      "description" text null,
      "webhook_type" text not null,
      "auth_method" text not null,
      "key_hash" bytea null,
      "secret_ciphertext" bytea null,
      "previous_key_hash" bytea null,
      "previous_secret_ciphertext" bytea null,
      "previous_key_expires_at" timestamptz(3) null,
      "is_active" boolean not null default true,
      "created_by" int not null,
      "deleted_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "inbound_webhooks_client_index" on "inbound_webhooks" ("client_id", "created_at", "id") where "deleted_at" is null;
    create table "inbound_webhook_counts" (
      "webhook_id" uuid not null,
      "slot" int not null,
      "client_id" int not null,
      "receive_count" bigint not null,
      "last_received_at" timestamptz(3) null,
      primary key ("webhook_id", "slot")
    );
    create table "inbound_receipts" (
      "id" bigserial primary key,
      "receipt_id" uuid not null,
      "client_id" int not null,
      "webhook_id" uuid not null,
      "webhook_type" text not null,
      "status" text not null default 'received',
      "error_message" text null,
      "result" jsonb null,
      "idempotency_key" text null,
      "message_id" text null,
      "effect_key" text null,
      "headers" jsonb not null,
      "body" bytea not null,
      "body_bytes" int not null,
      "source_address" text null,
      "processing_round" int not null default 1,
      "received_at" timestamptz(3) not null default now(),
      "processed_at" timestamptz(3) null
    );
    alter table "inbound_receipts" add constraint "inbound_receipts_receipt_unique" unique ("receipt_id");
    alter table "inbound_receipts" add constraint "inbound_receipts_idempotency_unique" unique ("webhook_id", "idempotency_key");
    alter table "inbound_receipts" add constraint "inbound_receipts_message_unique" unique ("webhook_id", "message_id");
    create index "inbound_receipts_webhook_index" on "inbound_receipts" ("webhook_id", "id");
    create index "inbound_receipts_received_index" on "inbound_receipts" ("received_at");
    create index "inbound_receipts_effect_index" on "inbound_receipts" ("webhook_id", "effect_key") where "effect_key" is not null;
    create table "inbound_links" (
      "webhook_id" uuid not null,
      "kind" text not null,
      "external_id" text not null,
      "client_id" int not null,
      "record_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("webhook_id", "kind", "external_id")
    );
    create table "vehicle_locations" (
      "id" bigserial primary key,
      "client_id" int not null,
      "vehicle_id" text not null,
      "registration" text null,
      "driver_name" text null,
      "latitude" double precision not null,
      "longitude" double precision not null,
      "speed_kmh" double precision null,
      "heading" double precision null,
      "odometer_km" double precision null,
      "ignition" boolean null,
      "receipt_id" uuid not null,
      "recorded_at" timestamptz(3) not null,
      "received_at" timestamptz(3) not null default now()
    );
    alter table "vehicle_locations" add constraint "vehicle_locations_moment_unique" unique ("client_id", "vehicle_id", "recorded_at");
    create index "contacts_email_index" on "contacts" ("client_id", lower("email")) where "deleted_at" is null;
    create index "finance_documents_document_number_index" on "finance_documents" ("client_id", "document_type", "document_number") where "document_number" is not null;`;
