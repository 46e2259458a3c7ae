import { Migration } from '@mikro-orm/migrations';

/**
 * Whether an item is open, and when it is due, an index alone tells by the item's id: of thousands no row need be read.
 * Another has the open work by its due dates.
 */
export class Migration20261126030000_open_items extends Migration {
  override up(): void {
    this.addSql(`
      create index "work_items_open_index" on "work_items" ("client_id", "id") include ("due_date", "item_type")
        where "deleted_at" is null
          and "status" not in ('completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled');
      create index "work_items_open_dates_index" on "work_items" ("client_id", "due_date", "id")
        where "due_date" is not null and "deleted_at" is null
          and "status" not in ('completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled');`);
  }
}
