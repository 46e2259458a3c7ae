import { Migration } from '@mikro-orm/migrations';

/** The open work of one assignee is found by an index whether it is due some day or not. */
export class Migration20261126010000_open_work extends Migration {
  override up(): void {
    this.addSql(`
      drop index "work_items_open_due_index";
      create index "work_items_open_due_index" on "work_items" ("client_id", "assigned_to", "due_date", "id")
        where "deleted_at" is null and "assigned_to" is not null
          and "status" not in ('completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled');`);
  }
}
