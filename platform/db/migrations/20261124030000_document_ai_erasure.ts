import { Migration } from '@mikro-orm/migrations';

/**
 * What an erased call of Document AI left elsewhere goes with it: the data of its event, and the answer kept for its
 * Idempotency-Key. Events are otherwise added only: role app may erase one, which a trigger does, and can't word it anew.
 */
export class Migration20261124030000_document_ai_erasure extends Migration {
  override up(): void {
    for (const sql of [COLUMNS, ERASING, EARLIER_CALLS]) this.addSql(sql);
  }
}

const COLUMNS = `
    alter table "events" add column "erased_at" timestamptz(3) null;
    alter table "vision_requests" add column "event_id" uuid null;
    alter table "idempotency_records" add column "result_id" uuid null;
    create index "idempotency_records_result_index" on "idempotency_records" ("client_id", "result_id")
      where "result_id" is not null;`;

// What is not dispatched yet is told to nobody. Erased once, it stays so, whatever the column is set to.
const ERASING = `
    create function erase_event() returns trigger language plpgsql as $$
      begin
        new.erased_at := coalesce(old.erased_at, now());
        new.dispatched_at := coalesce(old.dispatched_at, now());
        new.data := json_build_object('event', old.name, 'request_id', old.data -> 'request_id', 'erased', true);
        return new;
      end $$;
    create trigger events_erase before update of "erased_at" on "events"
      for each row execute function erase_event();
    grant update ("erased_at") on "events" to app;`;

// As role system: row-level security shows the owner of the tables nothing.
const EARLIER_CALLS = `
    set local role system;
    update vision_requests r set event_id = e.event_id from events e
      where e.client_id = r.client_id and e.name in ('vision.extract.completed', 'vision.extract.failed')
        and e.data ->> 'request_id' = r.request_id::text and r.erased_at is null;
    reset role;`;
