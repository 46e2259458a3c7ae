import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/**
 * Invitations and links for a new password; users who have not chosen a password yet; mails whose text nobody is shown; who
 * vouches for the scopes of an OAuth application; and the settings of a client that its own people may change.
 */
export class Migration20261125010000_accounts extends Migration {
  override up(): void {
    this.addSql(`
    create table "account_links" (
      "id" bigserial primary key,
      "client_id" int not null,
      "user_id" int not null,
      "kind" text not null,
      "token_hash" bytea not null,
      "expires_at" timestamptz(3) not null,
      "ended_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now()
    );
    alter table "account_links" add constraint "account_links_hash_unique" unique ("token_hash");
    create index "account_links_open_index" on "account_links" ("client_id", "user_id")
      where "ended_at" is null;
    create index "account_links_expiry_index" on "account_links" ("expires_at");
    alter table "users" alter column "password_hash" drop not null;
    alter table "mails" add column "is_confidential" boolean not null default false;
    alter table "oauth_applications" add column "vouched_for_by_user_id" int null;
    grant update ("name", "country", "currency", "timezone", "document_ai_retention_days", "updated_at") on "clients" to app;`);
    this.addSql(tenantWall('account_links'));
    this.addSql('grant usage, select on all sequences in schema public to app, system;');
  }
}
