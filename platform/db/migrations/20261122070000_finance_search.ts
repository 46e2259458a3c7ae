import { Migration } from '@mikro-orm/migrations';

/** Searches of finance documents that stay fast with many of them, payments that stay as recorded, and what exports are purged by. */
export class Migration20261122070000_finance_search extends Migration {
  override up(): void {
    this.addSql(INDEXES);
    this.addSql(SEARCH);
    this.addSql(PAYMENTS);
  }
}

const INDEXES = `
    create index "finance_documents_type_date_index" on "finance_documents" ("client_id", "document_type", "document_date",
      "id");
    create index "auditor_exports_age_index" on "auditor_exports" ("created_at");`;

/** In the place of that of 20261122040000_finance. */
const SEARCH = `
    drop function search_finance_documents(text, text, text[], boolean, date, int, date, date, int, int);
    drop index "finance_documents_words_index";
    drop function finance_document_words(text, text, text);
    -- Begins with a space, as contact_words does.
    create function finance_document_words(document_number text, contact_name text, reference text) returns text
      language sql immutable parallel safe
      return ' ' || lower(coalesce(document_number, '') || ' ' || contact_name || ' ' || coalesce(reference, ''));
    create index "finance_documents_words_index" on "finance_documents" using gin ("client_id",
      finance_document_words("document_number", "contact_name", "reference") gin_trgm_ops);

    -- Ids of the client's documents of one type that fit every pattern and the conditions that are not null, newest first,
    -- and how many there are, counted up to one more than \`most\`. The planner can't tell a rare word from a common one
    -- behind row-level security, so the search finds out itself: few documents that fit the other conditions are read one
    -- by one; else some of the newest tell how common the words are, and the trigrams find those that are not.
    create function search_finance_documents(patterns text[], wanted_type text, wanted_statuses text[], wanted_late boolean,
      today date, wanted_contact int, from_day date, to_day date, max_rows int, skipped int, most int,
      out ids bigint[], out matches int) language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_indexscan = on set enable_bitmapscan = on set enable_sort = on
      set enable_seqscan = off as $$
      declare
        few constant int := 4000;
        sample constant int := 1000;
        source text := format('from finance_documents where client_id = %s and document_type = %L',
          app_client_id(), wanted_type);
        fits text := 'true';
        pattern text;
        candidates int;
      begin
        if app_client_id() is null then raise exception 'search_finance_documents needs a tenant'; end if;
        foreach pattern in array patterns loop
          fits := fits || format(' and finance_document_words(document_number, contact_name, reference) like %L', pattern);
        end loop;
        if wanted_statuses is not null then
          source := source || format(' and status = any(%L::text[])', wanted_statuses);
        end if;
        if wanted_late is not null then
          source := source || format(
            ' and %L::boolean = (due_date is not null and due_date < %L and total_minor - paid_minor - credited_minor > 0)',
            wanted_late, today);
        end if;
        if wanted_contact is not null then source := source || format(' and contact_id = %s', wanted_contact); end if;
        if from_day is not null then source := source || format(' and document_date >= %L', from_day); end if;
        if to_day is not null then source := source || format(' and document_date <= %L', to_day); end if;

        execute format('select count(*) from (select %s limit %s) found', source, few + 1) into candidates;
        if candidates <= few then
          source := format('from (select * %s offset 0) few', source);
        else
          -- Settings of the planner are undone at the function's end, as it sets them itself.
          perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);
          execute format('select count(*) filter (where %s) from (select * %s order by id desc limit %s) newest',
            fits, source, sample) into matches;
          -- One in ten or more: those that are wanted are among the newest.
          if matches * 10 >= sample then
            execute format('select coalesce((array_agg(id order by id desc))[%s : %s], ''{}''), count(*)
              from (select id from (select * %s order by id desc offset 0) newest where %s limit %s) found',
              skipped + 1, skipped + max_rows, source, fits, greatest(most + 1, skipped + max_rows)) into ids, matches;
            return;
          end if;
          perform set_config('enable_bitmapscan', 'on', true), set_config('enable_indexscan', 'off', true);
          fits := replace(source, 'from finance_documents where ', '') || ' and ' || fits;
          source := 'from finance_documents';
        end if;
        execute format('select coalesce((array_agg(id order by id desc))[%s : %s], ''{}''), count(*) %s where %s',
          skipped + 1, skipped + max_rows, source, fits) into ids, matches;
      end $$;
    revoke all on function search_finance_documents(text[], text, text[], boolean, date, int, date, date, int, int, int)
      from public;
    grant execute on function search_finance_documents(text[], text, text[], boolean, date, int, date, date, int, int, int)
      to app;`;

/**
 * As of issued documents: only where a payment stands, and for which document it counts, moves on. After the change, so
 * that the wall between tenants speaks first.
 */
const PAYMENTS = `
    create function guard_payment() returns trigger language plpgsql as $$
    declare
      moving constant text[] := array['status', 'document_type', 'document_id', 'failure_reason', 'refunded_at', 'updated_at'];
    begin
      if tg_op = 'DELETE' or to_jsonb(new) - moving <> to_jsonb(old) - moving then
        raise exception 'payment % is recorded', old.id using errcode = '23001';
      end if;
      return null;
    end $$;
    create trigger payments_guard after update or delete on payments
      for each row execute function guard_payment();`;
