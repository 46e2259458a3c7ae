import { Migration } from '@mikro-orm/migrations';

/** Long lists of ids are narrowed by the index on the client alone: it holds what they are mostly narrowed and sorted by. */
export class Migration20261125070000_work_item_sieve extends Migration {
  override up(): void {
    this.addSql(`
      drop index "work_items_client_index";
      create index "work_items_client_index" on "work_items" ("client_id", "id")
        include ("item_type", "status", "priority", "due_date", "created_at", "updated_at") where "deleted_at" is null;`);
  }
}
