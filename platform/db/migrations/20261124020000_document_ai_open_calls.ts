import { Migration } from '@mikro-orm/migrations';

/** What is found without asking for a client: calls that are under way, and callbacks that nobody took. */
export class Migration20261124020000_document_ai_open_calls extends Migration {
  override up(): void {
    this.addSql(`
      create index "vision_requests_open_index" on "vision_requests" ("id")
        where "status" in ('queued', 'running') and "admitted_at" is not null;
      alter table "vision_documents" add column "environment" text not null default 'production';`);
  }
}
