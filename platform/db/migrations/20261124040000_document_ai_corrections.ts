import { Migration } from '@mikro-orm/migrations';

/**
 * Which calls corrected a document, so that one that is sent again changes nothing; and where a lesson was taught: what is
 * tried in the sandbox must not change what production extracts.
 */
export class Migration20261124040000_document_ai_corrections extends Migration {
  override up(): void {
    this.addSql(`
      alter table "vision_documents" add column "correction_ids" uuid[] not null default '{}';
      alter table "vision_lessons" add column "environment" text not null default 'production';
      alter table "account_lessons" add column "environment" text not null default 'production';
      set local role system;
      update vision_lessons l set environment = r.environment from vision_requests r
        where r.client_id = l.client_id and r.request_id = l.request_id and r.environment <> 'production';
      update account_lessons l set environment = r.environment from vision_requests r
        where r.client_id = l.client_id and r.request_id = l.request_id and r.environment <> 'production';
      reset role;`);
  }
}
