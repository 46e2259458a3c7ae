import { Migration } from '@mikro-orm/migrations';

/** Appointments are found by all of the time that they take, not their beginning alone; time entries are corrected and deleted. */
export class Migration20261125080000_appointments_and_time_change extends Migration {
  override up(): void {
    this.addSql(`
      alter table "appointments" add column "ends_at" timestamptz(3)
        generated always as (coalesce(scheduled_end, scheduled_start)) stored;
      create index "appointments_end_index" on "appointments" ("client_id", "ends_at", "scheduled_start", "id")
        where "deleted_at" is null;
      create index "appointments_assignee_end_index"
        on "appointments" ("client_id", "assigned_to", "ends_at", "scheduled_start", "id") where "deleted_at" is null;
      alter table "work_item_time_entries" add column "deleted_at" timestamptz(3) null, add column "deleted_by" text null,
        add column "updated_at" timestamptz(3) not null default now();
      drop index "work_item_time_entries_item_index";
      create index "work_item_time_entries_item_index" on "work_item_time_entries" ("work_item_id", "id")
        where "deleted_at" is null;`);
    this.addSql(`
      set local role system;
      update work_item_time_entries set updated_at = created_at;
      reset role;`);
  }
}
