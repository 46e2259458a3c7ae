import { Migration } from '@mikro-orm/migrations';

/** A payment may be given back in parts: how much of it was. It grows up to the amount and never shrinks. */
export class Migration20261125040000_partial_refunds extends Migration {
  override up(): void {
    this.addSql(`alter table "payments" add column "refunded_minor" bigint not null default '0';`);
    this.addSql(GUARD);
    this.addSql(`
      set local role system;
      update payments set refunded_minor = amount_minor where status = 'refunded';
      reset role;`);
  }
}

const GUARD = `
    create or replace function guard_payment() returns trigger language plpgsql as $$
    declare
      moving constant text[] := array['status', 'document_type', 'document_id', 'failure_reason', 'refunded_minor',
        'refunded_at', 'updated_at'];
    begin
      if tg_op = 'DELETE' or to_jsonb(new) - moving <> to_jsonb(old) - moving then
        raise exception 'payment % is recorded', old.id using errcode = '23001';
      end if;
      if new.refunded_minor < old.refunded_minor or new.refunded_minor > new.amount_minor then
        raise exception 'payment % would be refunded beyond its amount, or less than before', old.id using errcode = '23514';
      end if;
      return null;
    end $$;`;
