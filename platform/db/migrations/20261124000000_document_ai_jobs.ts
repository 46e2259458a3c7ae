import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** Limits of Document AI per client, jobs that wait for their turn, and what the statistics are made of. */
export class Migration20261124000000_document_ai_jobs extends Migration {
  override up(): void {
    this.addSql(TABLES);
    this.addSql(tenantWall('vision_documents'));
    this.addSql('grant usage, select on all sequences in schema public to app, system;');
  }
}

const TABLES = `
    alter table "clients"
      add column "document_ai_requests_per_minute" int null,
      add column "document_ai_concurrent_jobs" int null,
      add column "document_ai_retention_days" int not null default 30;
    alter table "vision_requests"
      add column "admitted_at" timestamptz(3) null,
      add column "erased_at" timestamptz(3) null;
    update "vision_requests" set "admitted_at" = "created_at";
    create index "vision_requests_waiting_index" on "vision_requests" ("client_id", "id")
      where "is_async" and "status" = 'queued' and "admitted_at" is null;
    create index "vision_requests_active_index" on "vision_requests" ("client_id")
      where "is_async" and "admitted_at" is not null and "status" in ('queued', 'running');
    create index "vision_requests_kept_index" on "vision_requests" ("finished_at") where "erased_at" is null;
    create index "contacts_supplier_tax_number_index" on "contacts"
      ("client_id", (regexp_replace(upper("tax_number"), '[^A-Z0-9]', '', 'g')))
      where "deleted_at" is null and "tax_number" is not null and "contact_type" in ('supplier', 'both');
    create index "contacts_supplier_name_index" on "contacts" using gin ("client_id", lower("name") gin_trgm_ops)
      where "deleted_at" is null and "contact_type" in ('supplier', 'both');
    create table "vision_documents" (
      "id" bigserial primary key,
      "client_id" int not null,
      "request_id" uuid not null,
      "index" int not null,
      "document_type" text not null,
      "type_confidence" real not null,
      "fields" int not null,
      "avg_confidence" real null,
      "min_confidence" real null,
      "has_failed_check" boolean not null,
      "corrected_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "vision_documents_client_index" on "vision_documents" ("client_id", "created_at");
    alter table "vision_documents" add constraint "vision_documents_index_unique" unique ("client_id", "request_id", "index");`;
