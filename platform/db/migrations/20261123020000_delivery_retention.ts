import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/**
 * The delivery log and the DLQ by time, and what a recovery needs to know. What waits for its first send is in none of
 * these indexes (it is found by its lane), so that a delivery which succeeds at once is written to each of the log's
 * once; the log index did hold it before, and was written twice.
 */
export class Migration20261123020000_delivery_retention extends Migration {
  override up(): void {
    this.addSql(INDEXES);
    this.addSql(PAUSES);
    this.addSql(RECOVERIES);
    for (const table of ['webhook_pauses', 'webhook_recoveries']) this.addSql(tenantWall(table));
  }
}

const INDEXES = `
    drop index "deliveries_log_index";
    create index "deliveries_log_index" on "deliveries" ("client_id", "webhook_id", "status", "created_at", "id")
      where "status" <> 'pending';
    create index "deliveries_event_type_index"
      on "deliveries" ("client_id", "webhook_id", "event_type", "status", "created_at", "id") where "status" <> 'pending';
    create index "deliveries_dlq_index" on "deliveries" ("client_id", "webhook_id", "dlq_at", "id")
      where "status" = 'failed';
    create index "deliveries_dlq_event_type_index" on "deliveries" ("client_id", "webhook_id", "event_type", "dlq_at", "id")
      where "status" = 'failed';
    create index "deliveries_dead_index" on "deliveries" ("dlq_at") where "status" = 'failed';`;

// Written by a trigger, so that whatever switches a webhook off (its owner, a 410, a day of failures) leaves the same trace.
const PAUSES = `
    create table "webhook_pauses" (
      "webhook_id" int not null,
      "paused_at" timestamptz(3) not null,
      "client_id" int not null,
      "resumed_at" timestamptz(3) null,
      primary key ("webhook_id", "paused_at")
    );
    insert into webhook_pauses (webhook_id, paused_at, client_id)
      select id, updated_at, client_id from webhooks where not (is_active and verification_status = 'verified');
    create function note_webhook_pause() returns trigger language plpgsql as $$
      begin
        if new.is_active and new.verification_status = 'verified' then
          update webhook_pauses set resumed_at = now() where webhook_id = new.id and resumed_at is null;
        elsif not exists (select from webhook_pauses where webhook_id = new.id and resumed_at is null) then
          insert into webhook_pauses (webhook_id, paused_at, client_id) values (new.id, now(), new.client_id)
          on conflict (webhook_id, paused_at) do update set resumed_at = null;
        end if;
        return null;
      end $$;
    create trigger webhook_pause_noted after insert or update of is_active, verification_status on webhooks
      for each row execute function note_webhook_pause();`;

const RECOVERIES = `
    create table "webhook_recoveries" (
      "id" uuid not null primary key,
      "client_id" int not null,
      "webhook_id" int not null,
      "kind" text not null,
      "status" text not null default 'queued',
      "phase" text not null default 'dead_letters',
      "from_at" timestamptz(3) not null,
      "to_at" timestamptz(3) not null,
      "event_type" text null,
      "cursor_id" bigint not null default '0',
      "replayed" int not null default 0,
      "created" int not null default 0,
      "error" text null,
      "created_at" timestamptz(3) not null default now(),
      "finished_at" timestamptz(3) null
    );
    create index "webhook_recoveries_webhook_index" on "webhook_recoveries" ("client_id", "webhook_id");
    create index "webhook_recoveries_age_index" on "webhook_recoveries" ("created_at");`;
