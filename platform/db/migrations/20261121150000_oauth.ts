import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

const TENANT_TABLES = [
  'oauth_applications',
  'oauth_authorization_requests',
  'oauth_codes',
  'oauth_access_tokens',
  'browser_sessions',
] as const;

export class Migration20261121150000_oauth extends Migration {
  override up(): void {
    this.addSql(OAUTH_TABLES);
    this.addSql(SESSIONS);
    this.addSql(PASSWORD_CHANGES);
    for (const table of TENANT_TABLES) this.addSql(tenantWall(table));
    this.addSql(`grant usage, select on sequence oauth_applications_id_seq to app, system;`);
  }
}

const OAUTH_TABLES = `
    create table "oauth_applications" (
      "id" serial primary key,
      "client_id" int not null,
      "oauth_client_id" text not null,
      "name" text not null,
      "client_type" text not null default 'confidential',
      "redirect_uris" text[] not null default '{}',
      "scopes" text[] not null default '{}',
      "grant_types" text[] not null default '{}',
      "default_scopes" text[] not null default '{}',
      "logo_url" text null,
      "secret_hash" bytea null,
      "secret_ciphertext" bytea null,
      "master_key_id" text null,
      "is_active" boolean not null default true,
      "deleted_at" timestamptz(3) null,
      "created_by_user_id" int not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "oauth_applications_client_index" on "oauth_applications" ("client_id", "id");
    alter table "oauth_applications" add constraint "oauth_applications_oauth_client_id_unique" unique ("oauth_client_id");
    create table "oauth_authorization_requests" (
      "id" uuid not null,
      "client_id" int not null,
      "application_id" int not null,
      "session_hash" bytea not null,
      "parameters" jsonb not null,
      "expires_at" timestamptz(3) not null,
      "used_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("id")
    );
    create index "oauth_authorization_requests_expiry_index" on "oauth_authorization_requests" ("expires_at");
    create table "oauth_codes" (
      "code_hash" bytea not null,
      "client_id" int not null,
      "application_id" int not null,
      "user_id" int not null,
      "chain_id" uuid not null,
      "redirect_uri" text not null,
      "scopes" text[] not null default '{}',
      "code_challenge" text not null,
      "nonce" text null,
      "authenticated_at" timestamptz(3) not null,
      "expires_at" timestamptz(3) not null,
      "used_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("code_hash")
    );
    create index "oauth_codes_expiry_index" on "oauth_codes" ("expires_at");
    create table "oauth_access_tokens" (
      "jti" uuid not null,
      "client_id" int not null,
      "application_id" int not null,
      "user_id" int null,
      "chain_id" uuid not null,
      "scopes" text[] not null default '{}',
      "authenticated_at" timestamptz(3) null,
      "expires_at" timestamptz(3) not null,
      "revoked_at" timestamptz(3) null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("jti")
    );
    create index "oauth_access_tokens_chain_index" on "oauth_access_tokens" ("chain_id");
    create index "oauth_access_tokens_expiry_index" on "oauth_access_tokens" ("expires_at");`;

const SESSIONS = `
    alter table "refresh_tokens"
      add column "application_id" int null,
      add column "scopes" text[] null,
      add column "authenticated_at" timestamptz(3) null;
    alter table "vision_requests" add column "oauth_application_id" int null;
    create table "browser_sessions" (
      "id_hash" bytea not null,
      "client_id" int not null,
      "user_id" int not null,
      "csrf_token" text not null,
      "authenticated_at" timestamptz(3) not null,
      "last_seen_at" timestamptz(3) not null,
      "expires_at" timestamptz(3) not null,
      "address" text null,
      "user_agent" text null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("id_hash")
    );
    create index "browser_sessions_user_index" on "browser_sessions" ("user_id");
    create index "browser_sessions_expiry_index" on "browser_sessions" ("expires_at");`;

// Whoever changes the hash, and however: what was issued on the old password can be told from what came after.
const PASSWORD_CHANGES = `
    alter table "users" add column "password_changed_at" timestamptz(3) null;
    create function note_password_change() returns trigger language plpgsql as $$
    begin
      if new.password_changed_at is not distinct from old.password_changed_at then
        new.password_changed_at := clock_timestamp();
      end if;
      return new;
    end $$;
    create trigger users_password_change before update on users for each row
      when (new.password_hash is distinct from old.password_hash) execute function note_password_change();`;
