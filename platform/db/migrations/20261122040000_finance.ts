import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

const TENANT_TABLES = ['finance_documents', 'finance_document_lines', 'finance_counters', 'payments'] as const;

export class Migration20261122040000_finance extends Migration {
  override up(): void {
    this.addSql(DOCUMENTS);
    this.addSql(PAYMENTS);
    this.addSql(GUARDS);
    this.addSql(SEARCH);
    for (const table of TENANT_TABLES) this.addSql(tenantWall(table));
    this.addSql(`grant usage, select on all sequences in schema public to app, system;`);
  }
}

const DOCUMENTS = `
    create table "finance_documents" (
      "id" bigserial primary key,
      "client_id" int not null,
      "document_type" text not null,
      "document_number" text null,
      "sequence_number" int null,
      "status" text not null default 'draft',
      "contact_id" int null,
      "contact_name" text not null,
      "contact_email" text null,
      "contact_phone" text null,
      "contact_address" text null,
      "contact_tax_number" text null,
      "document_date" date not null,
      "due_date" date null,
      "currency" text not null,
      "subtotal_minor" bigint not null default '0',
      "discount_minor" bigint not null default '0',
      "tax_minor" bigint not null default '0',
      "total_minor" bigint not null default '0',
      "paid_minor" bigint not null default '0',
      "credited_minor" bigint not null default '0',
      "tax_summary" jsonb not null default '[]',
      "reference" text null,
      "notes" text null,
      "terms" text null,
      "custom_fields" jsonb not null default '{}',
      "converted_from_type" text null,
      "converted_from_id" bigint null,
      "invoice_id" bigint null,
      "issued_at" timestamptz(3) null,
      "issued_sha256" text null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "finance_documents_list_index" on "finance_documents" ("client_id", "document_type", "id");
    create index "finance_documents_status_index" on "finance_documents" ("client_id", "document_type", "status", "id");
    create index "finance_documents_contact_index" on "finance_documents" ("client_id", "contact_id", "id");
    create index "finance_documents_date_index" on "finance_documents" ("client_id", "document_date", "id");
    create index "finance_documents_invoice_index" on "finance_documents" ("client_id", "invoice_id")
      where "invoice_id" is not null;
    alter table "finance_documents"
      add constraint "finance_documents_number_unique" unique ("client_id", "document_type", "sequence_number"),
      add constraint "finance_documents_conversion_unique" unique ("client_id", "converted_from_id", "document_type");
    create table "finance_document_lines" (
      "id" bigserial primary key,
      "client_id" int not null,
      "document_id" bigint not null,
      "line_number" int not null,
      "description" text not null,
      "quantity" numeric(18,6) not null,
      "unit_price" numeric(18,6) not null,
      "discount_percent" numeric(7,4) not null default 0,
      "tax_rate" numeric(7,4) not null default 0,
      "item_code" text null,
      "account_code" text null,
      "discount_minor" bigint not null default '0',
      "net_minor" bigint not null default '0',
      "tax_minor" bigint not null default '0'
    );
    alter table "finance_document_lines"
      add constraint "finance_document_lines_number_unique" unique ("client_id", "document_id", "line_number");
    create table "finance_counters" (
      "client_id" int not null,
      "document_type" text not null,
      "last_number" int not null default 0,
      primary key ("client_id", "document_type")
    );`;

const PAYMENTS = `
    create table "payments" (
      "id" bigserial primary key,
      "client_id" int not null,
      "document_type" text null,
      "document_id" bigint null,
      "contact_id" int null,
      "amount_minor" bigint not null,
      "currency" text not null,
      "status" text not null default 'completed',
      "payment_method" text not null default 'other',
      "payment_date" date not null,
      "reference" text null,
      "notes" text null,
      "failure_reason" text null,
      "refunded_at" timestamptz(3) null,
      "created_by_type" text not null,
      "created_by_id" text not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    create index "payments_client_index" on "payments" ("client_id", "id");
    create index "payments_status_index" on "payments" ("client_id", "status", "id");
    create index "payments_document_index" on "payments" ("client_id", "document_id", "id");
    create index "payments_contact_index" on "payments" ("client_id", "contact_id", "id");
    create index "payments_date_index" on "payments" ("client_id", "payment_date", "id");`;

// The second wall behind the services: whoever writes, and however, what was issued keeps what it said. Only where it
// stands (status, payments, credits) moves on.
const GUARDS = `
    create function guard_finance_document() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.status <> 'draft' then raise exception 'finance document % is issued', old.id using errcode = '23001'; end if;
        return old;
      end if;
      if new.paid_minor < 0 or new.credited_minor < 0 or new.paid_minor > new.total_minor
        or new.credited_minor > new.total_minor then
        raise exception 'finance document % would be paid or credited beyond its total', new.id using errcode = '23514';
      end if;
      if tg_op = 'UPDATE' and old.status <> 'draft' and (
        new.status = 'draft' or
        to_jsonb(new) - array['status', 'paid_minor', 'credited_minor', 'updated_at']
          <> to_jsonb(old) - array['status', 'paid_minor', 'credited_minor', 'updated_at']) then
        raise exception 'finance document % is issued', old.id using errcode = '23001';
      end if;
      return new;
    end $$;
    create trigger finance_documents_guard before insert or update or delete on finance_documents
      for each row execute function guard_finance_document();
    create function guard_finance_document_line() returns trigger language plpgsql as $$
    declare
      is_issued boolean;
    begin
      select bool_or(status <> 'draft') into is_issued from finance_documents where id in (
        case when tg_op <> 'INSERT' then old.document_id end, case when tg_op <> 'DELETE' then new.document_id end);
      if is_issued then raise exception 'the finance document of this line is issued' using errcode = '23001'; end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$;
    create trigger finance_document_lines_guard before insert or update or delete on finance_document_lines
      for each row execute function guard_finance_document_line();`;

/**
 * As contacts are searched (20261122030000_office): an index of trigrams that holds the client, and a function that runs
 * as its owner for the transaction's client and hands back nothing but ids, because role app can't use such an index.
 */
const SEARCH = `
    create function finance_document_words(document_number text, contact_name text, reference text) returns text
      language sql immutable parallel safe
      return lower(coalesce(document_number, '') || E'\\n' || contact_name || E'\\n' || coalesce(reference, ''));
    create index "finance_documents_words_index" on "finance_documents" using gin ("client_id",
      finance_document_words("document_number", "contact_name", "reference") gin_trgm_ops);

    -- Ids of the client's documents of one type that fit a pattern and the conditions that are not null, newest first.
    create function search_finance_documents(pattern text, wanted_type text, wanted_statuses text[], wanted_late boolean,
      today date, wanted_contact int, from_day date, to_day date, max_rows int, skipped int)
      returns setof bigint language plpgsql stable security definer set search_path = pg_catalog, public as $$
      declare
        conditions text := '';
      begin
        if app_client_id() is null then raise exception 'search_finance_documents needs a tenant'; end if;
        if wanted_statuses is not null then
          conditions := conditions || format(' and status = any(%L::text[])', wanted_statuses);
        end if;
        if wanted_late is not null then
          conditions := conditions || format(
            ' and %L::boolean = (due_date is not null and due_date < %L and total_minor - paid_minor - credited_minor > 0)',
            wanted_late, today);
        end if;
        if wanted_contact is not null then conditions := conditions || format(' and contact_id = %s', wanted_contact); end if;
        if from_day is not null then conditions := conditions || format(' and document_date >= %L', from_day); end if;
        if to_day is not null then conditions := conditions || format(' and document_date <= %L', to_day); end if;
        return query execute format(
          'select id from finance_documents where client_id = %s and document_type = %L
             and finance_document_words(document_number, contact_name, reference) like %L %s
           order by id desc limit %s offset %s',
          app_client_id(), wanted_type, pattern, conditions, max_rows, skipped);
      end $$;
    revoke all on function search_finance_documents(text, text, text[], boolean, date, int, date, date, int, int) from public;
    grant execute on function search_finance_documents(text, text, text[], boolean, date, int, date, date, int, int) to app;`;
