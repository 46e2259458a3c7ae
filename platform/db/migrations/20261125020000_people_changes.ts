import { Migration } from '@mikro-orm/migrations';

/**
 * What holds once employees and teams can be written: one employee for a user, and names of teams whatever their case. And
 * reads that stay fast with 100,000 employees.
 */
export class Migration20261125020000_people_changes extends Migration {
  override up(): void {
    this.addSql(MEND);
    this.addSql(RULES);
    this.addSql(FILTERS);
    this.addSql(SEARCH);
  }
}

/**
 * Rows that were put there past the API. Of a user's employees the one that reads have taken for it keeps the user; of teams
 * with one name the oldest keeps the name.
 */
const MEND = `
    set local role system;
    update employees e set user_id = null
    from (select id, row_number() over (partition by client_id, user_id order by is_active desc, id) as place
      from employees where user_id is not null) taken
    where taken.id = e.id and taken.place > 1;
    update teams t set name = t.name || ' (' || t.team_id || ')'
    from (select team_id, row_number() over (partition by client_id, lower(name) order by created_at, team_id) as place
      from teams) named
    where named.team_id = t.team_id and named.place > 1;
    reset role;`;

const RULES = `
    drop index "employees_user_index";
    alter table "employees" add constraint "employees_user_unique" unique ("client_id", "user_id");
    create index "employees_made_number_index" on "employees" ("client_id", (substr("employee_number", 3)::bigint))
      where "employee_number" ~ '^E-[0-9]{1,15}$';
    alter table "teams" drop constraint "teams_name_unique";
    create unique index "teams_name_unique" on "teams" ("client_id", lower("name"));`;

/**
 * The department as it is compared, in a column: behind row-level security an index is used for operators that can't tell
 * of other rows, and lower() is none of these.
 */
const FILTERS = `
    alter table "employees" add column "department_key" text generated always as (lower(department)) stored null;
    create index "employees_department_index" on "employees" ("client_id", "department_key", "id");
    create index "employees_away_index" on "employees" ("client_id", "id")
      where not "is_active" or "terminated_on" is not null;`;

const SEARCH = `
    -- Begins with a space, as contact_words does.
    create function employee_words(first_name text, last_name text, employee_number text, email text, job_title text)
      returns text language sql immutable parallel safe
      return ' ' || lower(first_name || ' ' || last_name || ' ' || employee_number || ' ' || coalesce(email, '') || ' '
        || coalesce(job_title, ''));
    create index "employees_words_index" on "employees" using gin ("client_id",
      employee_words("first_name", "last_name", "employee_number", "email", "job_title") gin_trgm_ops);

    -- Ids of the client's employees that fit every pattern and the filters, in order, and how many there are, counted up
    -- to one more than \`most\`. As search_contacts it finds out itself whether the words are common: some of the first
    -- employees tell. Those that fit a common word are met by going on from there, those of a rare one by its trigrams.
    create function search_employees(patterns text[], wanted_active boolean, with_left boolean, today date,
      wanted_department text, max_rows int, skipped int, most int, out ids int[], out matches int)
      language plpgsql stable security definer set search_path = pg_catalog, public
      set enable_indexscan = on set enable_bitmapscan = on set enable_seqscan = off as $$
      declare
        sample constant int := 1000;
        source text := format('from employees where client_id = %s', app_client_id());
        fits text := format('((is_active = %L::boolean and (terminated_on is null or terminated_on > %L)) or (%L::boolean
          and terminated_on <= %L))', wanted_active, today, with_left, today);
        pattern text;
        walked int;
      begin
        if app_client_id() is null then raise exception 'search_employees needs a tenant'; end if;
        if wanted_department is not null then
          source := source || format(' and department_key = %L', lower(wanted_department));
        end if;
        foreach pattern in array patterns loop
          fits := fits || format(' and employee_words(first_name, last_name, employee_number, email, job_title) like %L',
            pattern);
        end loop;
        -- Settings of the planner are undone at the function's end, as it sets them itself.
        perform set_config('enable_bitmapscan', 'off', true);
        execute format('select count(*) filter (where %s), count(*) from (select * %s order by id limit %s) first', fits,
          source, sample) into matches, walked;
        if walked < sample or matches * 10 >= sample then
          execute format('select coalesce((array_agg(id order by id))[%s : %s], ''{}''), count(*)
            from (select id from (select * %s order by id offset 0) walk where %s limit %s) found',
            skipped + 1, skipped + max_rows, source, fits, greatest(most + 1, skipped + max_rows)) into ids, matches;
          return;
        end if;
        perform set_config('enable_bitmapscan', 'on', true), set_config('enable_indexscan', 'off', true);
        execute format('select coalesce((array_agg(id order by id))[%s : %s], ''{}''), count(*) %s and %s',
          skipped + 1, skipped + max_rows, source, fits) into ids, matches;
      end $$;
    revoke all on function search_employees(text[], boolean, boolean, date, text, int, int, int) from public;
    grant execute on function search_employees(text[], boolean, boolean, date, text, int, int, int) to app;`;
