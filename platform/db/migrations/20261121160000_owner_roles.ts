import { Migration } from '@mikro-orm/migrations';

/**
 * An owner that made the roles itself by CREATEROLE, as on most hosted servers, is a member of them in name only: it
 * neither inherits from them nor may become them. But row-level security binds it too, so that migrations that fill
 * tables and searches that run as their owner would see no row, and a session that `DATABASE_URL` opens could not become
 * either role. A superuser, and an owner that was granted them in full, are left as they are.
 */
export class Migration20261121160000_owner_roles extends Migration {
  override up(): void {
    this.addSql(`
    do $$
    declare
      needed text;
    begin
      foreach needed in array array['app', 'system'] loop
        if not (pg_has_role(current_user, needed, 'usage') and pg_has_role(current_user, needed, 'set')) then
          execute format('grant %I to %I with inherit true, set true', needed, current_user);
        end if;
      end loop;
    end $$;`);
  }
}
