import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** Mails to the people of a client: what is to be sent, what was, and what only stands here. */
export class Migration20261123030000_mails extends Migration {
  override up(): void {
    this.addSql(`
    create table "mails" (
      "id" bigserial primary key,
      "client_id" int not null,
      "mail_id" uuid not null,
      "kind" text not null,
      "to_address" text not null,
      "subject" text not null,
      "text_body" text not null,
      "dedupe_key" text not null,
      "status" text not null default 'queued',
      "attempts" int not null default 0,
      "last_error" text null,
      "created_at" timestamptz(3) not null default now(),
      "sent_at" timestamptz(3) null
    );
    alter table "mails" add constraint "mails_mail_unique" unique ("mail_id");
    alter table "mails" add constraint "mails_dedupe_unique" unique ("client_id", "dedupe_key");
    create index "mails_client_index" on "mails" ("client_id", "id");
    create index "mails_created_index" on "mails" ("created_at");
    create index "mails_unsent_index" on "mails" ("status") where "status" in ('queued', 'failed');`);
    this.addSql(tenantWall('mails'));
    this.addSql('grant usage, select on all sequences in schema public to app, system;');
  }
}
