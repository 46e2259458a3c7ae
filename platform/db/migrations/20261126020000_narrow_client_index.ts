import { Migration } from '@mikro-orm/migrations';

/** Undoes 20261125070000_work_item_sieve: with the wider index the planner takes the wrong one for plain lists. */
export class Migration20261126020000_narrow_client_index extends Migration {
  override up(): void {
    this.addSql(`
      drop index "work_items_client_index";
      create index "work_items_client_index" on "work_items" ("client_id", "id") where "deleted_at" is null;`);
  }
}
