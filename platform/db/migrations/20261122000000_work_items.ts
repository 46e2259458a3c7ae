import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

export class Migration20261122000000_work_items extends Migration {
  override up(): void {
    this.addSql(`
    create table "managed_tasks" (
      "work_item_id" bigint not null,
      "user_id" int not null,
      "client_id" int not null,
      "task_uuid" uuid not null,
      "created_at" timestamptz(3) not null default now(),
      primary key ("work_item_id", "user_id")
    );
    alter table "managed_tasks" add constraint "managed_tasks_task_unique" unique ("task_uuid");`);
    this.addSql(tenantWall('managed_tasks'));
    this.addSql(`grant usage, select on all sequences in schema public to app, system;`);
  }
}
