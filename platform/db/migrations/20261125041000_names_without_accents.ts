import { Migration } from '@mikro-orm/migrations';

/**
 * Contacts and finance documents are found without their accents too, as work items are (20261125030000). Taking them off
 * costs more than a search has for the thousand names that it looks at: so what is searched is stored with the row.
 */
export class Migration20261125041000_names_without_accents extends Migration {
  override up(): void {
    this.addSql(WORDS);
    this.addSql(CONTACTS);
    this.addSql(CONTACT_SEARCH);
    this.addSql(DOCUMENTS);
    this.addSql(DOCUMENT_SEARCH);
  }
}

/** Most texts have no accents. With an empty search path, as those who make indexes anew have it. */
const WORDS = `
    create function searchable_words(words text) returns text language plpgsql immutable parallel safe as $$
      begin
        if octet_length(words) = char_length(words) then return lower(words); end if;
        return public.without_accents(lower(words));
      end $$;`;

const CONTACTS = `
    drop index "contacts_words_index";
    create or replace function contact_words(name text, email text, phone text, mobile text, city text, tax_number text,
      registration_number text) returns text language sql immutable parallel safe
      return ' ' || searchable_words(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
        || coalesce(mobile, '') || ' ' || coalesce(city, '') || ' ' || coalesce(tax_number, '') || ' '
        || coalesce(registration_number, ''));
    alter table "contacts" add column "search_words" text generated always as (
      contact_words(name, email, phone, mobile, city, tax_number, registration_number)) stored;
    create index "contacts_words_index" on "contacts" using gin ("client_id", "contact_type", ("is_active"::int),
      "search_words" gin_trgm_ops) where "deleted_at" is null;`;

/** As in 20261122030000_office, over the stored words. */
const CONTACT_SEARCH = `
    create or replace function search_contacts(patterns text[], wanted_type text, wanted_active boolean, wanted int,
      out ids int[], out is_all boolean) language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_indexscan = on set enable_seqscan = on set enable_bitmapscan = on as $$
      declare
        newest int := 1500;
        readable int := greatest(wanted, 3000);
        source text := format('from contacts where client_id = %s and deleted_at is null', app_client_id());
        fits text := 'true';
        pattern text;
        walked int;
      begin
        if app_client_id() is null then raise exception 'search_contacts needs a tenant'; end if;
        if wanted_type is not null then fits := fits || format(' and contact_type = %L', wanted_type); end if;
        if wanted_active is not null then fits := fits || format(' and is_active::int = %s', wanted_active::int); end if;
        foreach pattern in array patterns loop
          fits := fits || format(' and search_words like %L', searchable_words(pattern));
        end loop;
        execute format('select coalesce(array_agg(id order by id desc) filter (where %s), ''{}''), count(*)
          from (select * %s order by id desc limit %s) newest', fits, source, newest) into ids, walked;
        is_all := walked < newest;
        if is_all or cardinality(ids) >= wanted then return; end if;
        -- Undone at the function's end, as it sets both itself.
        perform set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'off', true);
        execute format('select coalesce(array_agg(id order by id desc), ''{}'')
          from (select id %s and %s limit %s) found', source, fits, readable + 1) into ids;
        is_all := cardinality(ids) <= readable;
        if is_all then return; end if;
        perform set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
        execute format('select coalesce(array_agg(id), ''{}'') from (
          select id %s and %s order by id desc limit %s) met', source, fits, wanted) into ids;
      end $$;`;

// What is computed from a row isn't there yet when the guard looks at the new one, and can't be other than the row says.
const DOCUMENTS = `
    create or replace function guard_finance_document() returns trigger language plpgsql as $$
    declare
      moving constant text[] := array['status', 'paid_minor', 'credited_minor', 'updated_at', 'search_words'];
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
        new.status = 'draft' or to_jsonb(new) - moving <> to_jsonb(old) - moving) then
        raise exception 'finance document % is issued', old.id using errcode = '23001';
      end if;
      return new;
    end $$;
    drop index "finance_documents_words_index";
    create or replace function finance_document_words(document_number text, contact_name text, reference text) returns text
      language sql immutable parallel safe
      return ' ' || searchable_words(coalesce(document_number, '') || ' ' || contact_name || ' ' || coalesce(reference, ''));
    alter table "finance_documents" add column "search_words" text generated always as (
      finance_document_words(document_number, contact_name, reference)) stored;
    create index "finance_documents_words_index" on "finance_documents" using gin ("client_id", "search_words" gin_trgm_ops);`;

/** As in 20261122070000_finance_search, over the stored words. */
const DOCUMENT_SEARCH = `
    create or replace function search_finance_documents(patterns text[], wanted_type text, wanted_statuses text[],
      wanted_late boolean, today date, wanted_contact int, from_day date, to_day date, max_rows int, skipped int, most int,
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
          fits := fits || format(' and search_words like %L', searchable_words(pattern));
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
      end $$;`;
