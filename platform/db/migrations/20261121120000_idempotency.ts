import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

export class Migration20261121120000_idempotency extends Migration {
  override up(): void {
    this.addSql(`
    create table "idempotency_records" (
      "client_id" int not null,
      "key" text not null,
      "part" text not null default '',
      "principal" text not null,
      "fingerprint" bytea not null,
      "request_id" uuid not null,
      "status" smallint null,
      "answer" bytea null,
      "lease_until" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("client_id", "key", "part")
    );
    create index "idempotency_records_age_index" on "idempotency_records" ("created_at");`);
    this.addSql(tenantWall('idempotency_records'));
  }
}
