import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

export class Migration20261121140000_api_key_usage extends Migration {
  override up(): void {
    this.addSql(`
    alter table "api_keys"
      add column "total_requests" bigint not null default 0,
      add column "previous_key_hash" bytea null,
      add column "previous_key_expires_at" timestamptz(3) null;
    alter table "api_keys" add constraint "api_keys_previous_hash_unique" unique ("previous_key_hash");
    create table "api_key_usage" (
      "api_key_id" int not null,
      "minute" timestamptz(3) not null,
      "client_id" int not null,
      "requests" int not null,
      primary key ("api_key_id", "minute")
    );
    create index "api_key_usage_age_index" on "api_key_usage" ("minute");`);
    this.addSql(tenantWall('api_key_usage'));
  }
}
