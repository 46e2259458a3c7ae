import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

const TENANT_TABLES = ['forms', 'form_submissions', 'attendance_logs', 'attendance_states'] as const;

/** Contacts can be deleted and searched; forms and what is submitted to them; who clocked in and out. */
export class Migration20261122030000_office extends Migration {
  override up(): void {
    this.addSql(CONTACTS);
    this.addSql(CONTACT_SEARCH);
    this.addSql(FORMS);
    this.addSql(ATTENDANCE);
    for (const table of TENANT_TABLES) this.addSql(tenantWall(table));
    this.addSql(`grant usage, select on all sequences in schema public to app, system;`);
  }
}

const CONTACTS = `
    alter table "contacts" add column "deleted_at" timestamptz(3) null;
    drop index "contacts_client_index";
    create index "contacts_client_index" on "contacts" ("client_id", "id") where "deleted_at" is null;
    create index "contacts_type_index" on "contacts" ("client_id", "contact_type", "id") where "deleted_at" is null;
    create index "contacts_inactive_index" on "contacts" ("client_id", "id") where "deleted_at" is null and not "is_active";`;

/**
 * The index holds the client beside the trigrams, so that a small client's search doesn't wade through a big one's words,
 * and what else a search may be narrowed by, so that no contact is read that is left out.
 * Role app can't use it by itself: \`like\` is not leakproof, and row-level security evaluates such operators after its
 * policy only. So the search runs as its owner, for the transaction's client, and hands back nothing but ids.
 */
const CONTACT_SEARCH = `
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;

    -- What a search looks at. Begins with a space: a pattern with one before its word finds the beginnings of words.
    create function contact_words(name text, email text, phone text, mobile text, city text, tax_number text,
      registration_number text) returns text language sql immutable parallel safe
      return ' ' || lower(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(mobile, '')
        || ' ' || coalesce(city, '') || ' ' || coalesce(tax_number, '') || ' ' || coalesce(registration_number, ''));
    create index "contacts_words_index" on "contacts" using gin ("client_id", "contact_type", ("is_active"::int),
      contact_words("name", "email", "phone", "mobile", "city", "tax_number", "registration_number") gin_trgm_ops)
      where "deleted_at" is null;

    -- Ids of the client's contacts that fit every pattern, newest first: at least \`wanted\` of them, or all that fit.
    -- Row-level security also hides the statistics of non-leakproof operators, so the planner can't tell a rare word from
    -- a common one. The search finds out itself. It looks at some of the newest contacts; where too few of them fit, it
    -- takes the trigrams' matches, if these are few enough to be read and sorted; if not, the word is common enough to be
    -- met by going on from the newest.
    create function search_contacts(patterns text[], wanted_type text, wanted_active boolean, wanted int,
      out ids int[], out is_all boolean) language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_indexscan = on set enable_seqscan = on set enable_bitmapscan = on as $$
      declare
        newest int := 1500;
        readable int := greatest(wanted, 3000);
        source text := format('from contacts where client_id = %s and deleted_at is null', app_client_id());
        words text := 'contact_words(name, email, phone, mobile, city, tax_number, registration_number)';
        fits text := 'true';
        pattern text;
        walked int;
      begin
        if app_client_id() is null then raise exception 'search_contacts needs a tenant'; end if;
        if wanted_type is not null then fits := fits || format(' and contact_type = %L', wanted_type); end if;
        if wanted_active is not null then fits := fits || format(' and is_active::int = %s', wanted_active::int); end if;
        foreach pattern in array patterns loop
          fits := fits || format(' and %s like %L', words, pattern);
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
      end $$;
    revoke all on function search_contacts(text[], text, boolean, int) from public;
    grant execute on function search_contacts(text[], text, boolean, int) to app;`;

const FORMS = `
    create table "forms" (
      "id" serial primary key,
      "client_id" int not null,
      "form_key" text not null,
      "form_name" text not null,
      "description" text null,
      "is_active" boolean not null default true,
      "submission_count" int not null default 0,
      "fields" jsonb not null,
      "created_at" timestamptz(3) not null default now(),
      "updated_at" timestamptz(3) not null default now()
    );
    alter table "forms" add constraint "forms_key_unique" unique ("client_id", "form_key");
    create table "form_submissions" (
      "id" bigserial primary key,
      "client_id" int not null,
      "form_id" int not null,
      "data" jsonb not null,
      "files" jsonb null,
      "submitted_by_type" text not null,
      "submitted_by_id" text not null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "form_submissions_form_index" on "form_submissions" ("client_id", "form_id", "id");`;

const ATTENDANCE = `
    create table "attendance_logs" (
      "id" bigserial primary key,
      "client_id" int not null,
      "user_id" int not null,
      "employee_id" int null,
      "action" text not null,
      "timestamp" timestamptz(3) not null,
      "session_started_at" timestamptz(3) not null,
      "location" jsonb null,
      "notes" text null,
      "work_item_id" uuid null,
      "created_at" timestamptz(3) not null default now()
    );
    create index "attendance_logs_client_index" on "attendance_logs" ("client_id", "timestamp", "id");
    create index "attendance_logs_user_index" on "attendance_logs" ("client_id", "user_id", "timestamp", "id");
    create index "attendance_logs_session_index" on "attendance_logs" ("client_id", "user_id", "session_started_at");
    create table "attendance_states" (
      "client_id" int not null,
      "user_id" int not null,
      "last_action" text null,
      "last_at" timestamptz(3) null,
      "session_started_at" timestamptz(3) null,
      "first_at" timestamptz(3) null,
      primary key ("client_id", "user_id")
    );`;
