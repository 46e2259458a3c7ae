import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

export class Migration20261122010000_people extends Migration {
  override up(): void {
    this.addSql(TEAMS);
    for (const table of ['teams', 'team_memberships']) this.addSql(tenantWall(table));
    this.addSql(LOOK_UPS);
  }
}

const TEAMS = `
    create table "teams" (
      "team_id" uuid not null,
      "client_id" int not null,
      "name" text not null,
      "description" text null,
      "is_active" boolean not null default true,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now(),
      primary key ("team_id")
    );
    alter table "teams" add constraint "teams_name_unique" unique ("client_id", "name");
    create table "team_memberships" (
      "team_id" uuid not null,
      "user_id" int not null,
      "client_id" int not null,
      "role" text not null default 'member',
      "created_at" timestamptz(3) not null default now(),
      primary key ("team_id", "user_id")
    );
    create index "team_memberships_user_index" on "team_memberships" ("client_id", "user_id");`;

/** A user's employee, a client's employees page by page, and a manager's reports without a look at the table. */
const LOOK_UPS = `
    drop index "employees_manager_index";
    create index "employees_manager_index" on "employees" ("client_id", "manager_id", "id", "user_id");
    create index "employees_client_index" on "employees" ("client_id", "id");
    create index "employees_user_index" on "employees" ("client_id", "user_id");`;
