import { Migration } from '@mikro-orm/migrations';

/**
 * Tests of webhooks, told apart from what happened: their deliveries are made once and count for nothing, their events
 * are nobody else's. And which webhooks were made with require_verification: a new address must prove itself like the first.
 */
export class Migration20261123050000_webhook_tests extends Migration {
  override up(): void {
    this.addSql(`
    alter table "deliveries" add column "is_test" boolean not null default false;
    alter table "events" add column "is_addressed" boolean not null default false;
    update "events" set "is_addressed" = true where "name" in ('webhook.verification', 'webhook.test');
    alter table "webhooks" add column "requires_verification" boolean not null default false;`);
    // One that never had to prove itself was verified by the insert.
    this.addSql(
      `update "webhooks" set "requires_verification" = true where "verified_at" is distinct from "created_at";`,
    );
  }
}
