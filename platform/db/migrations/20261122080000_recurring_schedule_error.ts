import { Migration } from '@mikro-orm/migrations';

/** Why Temporal refuses a recurring job's schedule, where it does. */
export class Migration20261122080000_recurring_schedule_error extends Migration {
  override up(): void {
    this.addSql(`alter table "recurring_jobs" add column "schedule_error" text null;`);
  }
}
