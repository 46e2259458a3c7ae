import { Migration } from '@mikro-orm/migrations';

export class Migration20261121130000_rate_windows extends Migration {
  override up(): void {
    // Unlogged: a lease costs no WAL and no wait for the disk. After a crash of PostgreSQL the windows begin anew.
    // One row per key or user, updated in place: with no index but the key and room on each page, every update is HOT.
    this.addSql(`
    create unlogged table "rate_windows" (
      "subject" text not null,
      "ends_at" timestamptz(3) not null,
      "used" int not null,
      "second_ends_at" timestamptz(3) not null,
      "second_used" int not null,
      "granted" int not null,
      primary key ("subject")
    ) with (fillfactor = 50);
    grant select, insert, update, delete on rate_windows to system;`);
  }
}
