import { Migration } from '@mikro-orm/migrations';

/**
 * The event log is read newest first: all of it, the events of one name, or those of one work item. Its indexes hold what
 * is dispatched: that change makes an event's row anew, and each index that held it before would be written twice.
 */
export class Migration20261123010000_event_log extends Migration {
  override up(): void {
    this.addSql(`
    drop index "events_client_index";
    create index "events_client_index" on "events" ("client_id", "id") where "dispatched_at" is not null;
    create index "events_waiting_index" on "events" ("client_id", "id") where "dispatched_at" is null;
    create index "events_log_index" on "events" ("client_id", "occurred_at", "id") where "dispatched_at" is not null;
    create index "events_name_index" on "events" ("client_id", "name", "occurred_at", "id")
      where "dispatched_at" is not null;
    create index "events_work_item_index" on "events" ("client_id", "work_item_id", "occurred_at", "id")
      where "dispatched_at" is not null and "work_item_id" is not null;
    `);
  }
}
