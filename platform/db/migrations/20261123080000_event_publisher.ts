import { Migration } from '@mikro-orm/migrations';

/** Who published an event of a customer's own; such an event is its own audit entry. */
export class Migration20261123080000_event_publisher extends Migration {
  override up(): void {
    this.addSql(`alter table "events" add column "published_by" text null`);
  }
}
