import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

export class Migration20261122045000_audit_seals extends Migration {
  override up(): void {
    this.addSql(ENTRIES);
    this.addSql(SEALS);
    this.addSql(EXPORTS);
    this.addSql(tenantWall('audit_seals', 'append-only'));
    this.addSql(tenantWall('auditor_exports'));
    this.addSql(GRANTS);
  }
}

/** The transaction that wrote an entry: ids are given before the commit, so their order is not that of the commits. */
const ENTRIES = `
    alter table "audit_entries" add column "xid" xid8 not null default pg_current_xact_id();
    create index "audit_entries_xid_index" on "audit_entries" ("client_id", "xid", "id");`;

const SEALS = `
    create table "audit_seals" (
      "client_id" int not null,
      "sequence" int not null,
      "first_id" bigint not null,
      "last_id" bigint not null,
      "rows" int not null,
      "entry_ids" bigint[] not null,
      "entry_hashes" bytea[] not null,
      "to_xid" xid8 not null,
      "to_id" bigint not null,
      "previous_hash" bytea not null,
      "hash" bytea not null,
      "sealed_at" timestamptz(3) not null default now(),
      primary key ("client_id", "sequence")
    );
    create index "audit_seals_last_id_index" on "audit_seals" ("client_id", "last_id");`;

const EXPORTS = `
    create table "auditor_exports" (
      "export_id" uuid not null,
      "client_id" int not null,
      "status" text not null default 'queued',
      "options" jsonb not null,
      "actor_type" text not null,
      "actor_id" text not null,
      "documents_done" int not null default 0,
      "blob" text null,
      "sha256" text null,
      "error_code" text null,
      "error_message" text null,
      "created_at" timestamptz(3) not null default now(),
      "finished_at" timestamptz(3) null,
      primary key ("export_id")
    );
    create index "auditor_exports_client_index" on "auditor_exports" ("client_id", "created_at");`;

/**
 * The trail is added to, never changed: not by \`app\`, and not by \`system\` either. What an entry is ordered and dated by
 * comes from the database alone. Only the sealer, which is \`system\`, adds seals.
 */
const GRANTS = `
    revoke insert, update, delete on audit_entries from app, system;
    grant insert (client_id, actor_type, actor_id, action, subject_type, subject_id, address, details)
      on audit_entries to app, system;
    revoke insert on audit_seals from app;
    revoke update, delete on audit_seals from system;
    grant usage, select on all sequences in schema public to app, system;`;
