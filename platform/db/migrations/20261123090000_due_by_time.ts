import { Migration } from '@mikro-orm/migrations';

/** What is looked for by its time alone, over all clients: keys past their grace period, retries that nobody makes. */
export class Migration20261123090000_due_by_time extends Migration {
  override up(): void {
    this.addSql(`
    create index "webhook_keys_expiry_index" on "webhook_keys" ("expires_at")
      where "deactivated_at" is null and "expires_at" is not null;
    create index "deliveries_retrying_index" on "deliveries" ("next_attempt_at")
      where case "status" when 'retrying' then true else null end;`);
  }
}
