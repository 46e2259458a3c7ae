import { Migration } from '@mikro-orm/migrations';
import { tenantWall } from '../tenant-wall.ts';

/** Lists, search and totals of work items that stay fast with a million of them in one client. */
export class Migration20261122010100_work_item_search extends Migration {
  override up(): void {
    this.addSql(LEXEMES);
    this.addSql(INDEXES);
    this.addSql(TABLES);
    for (const table of ['work_item_counts', 'work_item_changes', 'work_item_words']) {
      this.addSql(tenantWall(table, 'append-only'));
    }
    this.addSql(KEEP_UP);
    this.addSql(QUERY);
    this.addSql(FIND);
    this.addSql(`grant usage, select on all sequences in schema public to app, system;`);
  }
}

const WORDS = `title || ' ' || coalesce(contact_name, '') || ' ' || coalesce(description, '')`;

/**
 * What an item is found by. Each lexeme begins with the client, so that a search in a small client doesn't read the
 * postings of a large one: `7:pump` a word or its stem, `7=job-000123` its number, `7#urgent` a tag, `7@field-service`
 * its module.
 */
const LEXEMES = `
    create extension if not exists pg_trgm;
    create function work_item_tags(prefix text, tags text[]) returns text[] language plpgsql immutable parallel safe as $$
      begin
        return array(select prefix || '#' || tag from unnest(tags) tag where tag <> '');
      end $$;
    -- One expression without a query in it, and the common cases of tags apart: each insert pays for every statement.
    create function work_item_lexemes(client_id int, item_number text, title text, description text, contact_name text,
        tags text[], module_context text) returns tsvector
      language plpgsql immutable parallel safe as $$
      begin
        -- In a tsvector's text each lexeme begins with a quote after a space, and none has a space in it.
        return replace(
            ' ' || strip(to_tsvector('simple', ${WORDS}) || to_tsvector('english', ${WORDS}))::text,
            ' ''', ' ''' || client_id || ':')::tsvector
          || array_to_tsvector(array_remove(array[
            client_id || '=' || lower(item_number),
            client_id || '=' || ltrim(substr(item_number, strpos(item_number, '-') + 1), '0'),
            client_id || '@' || module_context,
            case when cardinality(tags) = 1 and tags[1] <> '' then client_id || '#' || tags[1] end], null)
            || case when cardinality(tags) > 1 then work_item_tags(client_id::text, tags) else '{}' end);
      end $$;
    alter table "work_items" add column "search" tsvector generated always as (work_item_lexemes(client_id, item_number,
      title, description, contact_name, tags, module_context)) stored;`;

const INDEXES = `
    create index "work_items_search_index" on "work_items" using gin ("search") with (gin_pending_list_limit = 512)
      where "deleted_at" is null;
    create index "work_items_created_index" on "work_items" ("client_id", "created_at", "id") where "deleted_at" is null;
    create index "work_items_updated_index" on "work_items" ("client_id", "updated_at", "id") where "deleted_at" is null;
    create index "work_items_due_index" on "work_items" ("client_id", "due_date", "id") where "deleted_at" is null;
    create index "work_items_title_index" on "work_items" ("client_id", lower("title"), "id") where "deleted_at" is null;
    create index "work_items_priority_index" on "work_items" ("client_id", (case "priority" when 'low' then 1
      when 'medium' then 2 when 'high' then 3 when 'urgent' then 4 when 'critical' then 5 end), "id")
      where "deleted_at" is null;
    create index "work_items_scheduled_index" on "work_items" ("client_id", "scheduled_start")
      where "deleted_at" is null and "scheduled_start" is not null;
    create index "work_items_assigned_index" on "work_items" ("client_id", "assigned_to", "id")
      where "deleted_at" is null and "assigned_to" is not null;
    create index "work_items_contact_index" on "work_items" ("client_id", "contact_id", "id")
      where "deleted_at" is null and "contact_id" is not null;
    create index "work_items_team_index" on "work_items" ("client_id", "assigned_team", "id")
      where "deleted_at" is null and "assigned_team" is not null;
    create index "work_items_open_due_index" on "work_items" ("client_id", "assigned_to", "due_date", "id")
      where "deleted_at" is null and "assigned_to" is not null and "due_date" is not null
        and "status" not in ('completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled');
    create index "work_item_contractors_contact_index" on "work_item_contractors" ("client_id", "contact_id", "work_item_id");`;

/**
 * Totals cost the insert of an item nothing. `work_item_counts` holds how many items of each kind there are up to the
 * watermark `counted`, an item id; those beyond it are counted when asked for. `work_item_changes` holds what has
 * happened since to items of any id: one less of a kind, one more of another. The worker moves both into the counts and
 * the watermark forward (domain/work-items/fold.service.ts), and nobody else writes a count, so no writer waits.
 * `work_item_words` are the words that a misspelt one is looked up in; a word may be there twice.
 */
const TABLES = `
    create table "work_item_watermarks" (
      "name" text not null primary key,
      "up_to" bigint not null
    );
    insert into work_item_watermarks (name, up_to) values ('counted', 0), ('words', 0);
    grant select on work_item_watermarks to app;
    grant select, update on work_item_watermarks to system;
    create table "work_item_counts" (
      "client_id" int not null,
      "item_type" text not null,
      "status" text not null,
      "priority" text not null,
      "n" bigint not null,
      primary key ("client_id", "item_type", "status", "priority")
    ) with (fillfactor = 50);
    create table "work_item_changes" (
      "client_id" int not null,
      "id" bigserial not null,
      "work_item_id" bigint not null,
      "item_type" text not null,
      "status" text not null,
      "priority" text not null,
      "n" int not null,
      primary key ("client_id", "id")
    );
    create table "work_item_words" (
      "id" bigserial primary key,
      "client_id" int not null,
      "word" text not null
    );
    create index "work_item_words_index" on "work_item_words" ("client_id", "word");
    create index "work_item_words_similar_index" on "work_item_words" using gin ("word" gin_trgm_ops);`;

/** None of these run when an item is made; words of new items are the worker's. */
const KEEP_UP = `
    revoke insert on work_item_counts from app;
    create function note_work_item_change() returns trigger language plpgsql as $$
      begin
        if old.deleted_at is null then
          insert into work_item_changes (client_id, work_item_id, item_type, status, priority, n)
            values (old.client_id, old.id, old.item_type, old.status, old.priority, -1);
        end if;
        if tg_op = 'UPDATE' and new.deleted_at is null then
          insert into work_item_changes (client_id, work_item_id, item_type, status, priority, n)
            values (new.client_id, new.id, new.item_type, new.status, new.priority, 1);
        end if;
        return null;
      end $$;
    create function note_work_item_words() returns trigger language plpgsql as $$
      begin
        insert into work_item_words (client_id, word)
          select new.client_id, w.word from unnest(tsvector_to_array(new.search)) lexeme,
            substr(lexeme, strpos(lexeme, ':') + 1) as w (word)
          where lexeme ~ '^\\d+:[[:alpha:]]{4,30}$' and not exists (
            select from work_item_words known where known.client_id = new.client_id and known.word = w.word);
        return null;
      end $$;
    create trigger work_items_changed after update on work_items for each row
      when ((old.client_id, old.item_type, old.status, old.priority, old.deleted_at is null)
        is distinct from (new.client_id, new.item_type, new.status, new.priority, new.deleted_at is null))
      execute function note_work_item_change();
    create trigger work_items_reworded after update on work_items for each row
      when ((old.title, old.description, old.contact_name) is distinct from (new.title, new.description, new.contact_name))
      execute function note_work_item_words();
    create trigger work_items_removed after delete on work_items for each row execute function note_work_item_change();`;

/**
 * A search as a query on the lexemes above. All its words must match (but words like "the", unless there are no others):
 * as written, by the stem, or as an item number; with `effort` 2 also as the beginning of a word, with 3 also by a word
 * that resembles or contains it.
 */
const QUERY = `
    -- A text as one lexeme of a tsquery: quote_literal would mark one with a backslash in SQL's own way.
    create function lexeme_literal(lexeme text) returns text language sql immutable parallel safe
      return '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''';
    create function work_item_query(prefix text, search text, effort int) returns tsquery
      language plpgsql stable as $$
      declare
        pieces text[] := array(select p from regexp_split_to_table(lower(search), '\\s+') p where p <> '' limit 12);
        telling text[] := array(select p from unnest(pieces) p where to_tsvector('english', p) <> '');
        piece text;
        parts text[];
        stems text[];
        choices text[];
        whole tsquery;
      begin
        foreach piece in array case when telling = '{}' then pieces else telling end loop
          parts := tsvector_to_array(to_tsvector('simple', piece));
          stems := tsvector_to_array(to_tsvector('english', piece));
          choices := array[
            case when piece ~ '\\d' or parts = '{}' then lexeme_literal(prefix || '=' || left(piece, 100)) end,
            (select string_agg(lexeme_literal(prefix || ':' || part)
              || case when effort > 1 and length(part) > 2 and part ~ '[^-\\d]' then ':*' else '' end, ' & ')
              from unnest(parts) part),
            (select string_agg(lexeme_literal(prefix || ':' || stem), ' & ') from unnest(stems) stem where stems <> parts),
            (select string_agg(lexeme_literal(prefix || ':' || near), ' | ')
              from unnest(case when effort > 2 then similar_work_item_words(piece) end) near)];
          piece := array_to_string(array(select '(' || c || ')' from unnest(choices) c where c is not null), ' | ');
          whole := case when whole is null then piece::tsquery else whole && piece::tsquery end;
        end loop;
        return whole;
      end $$;`;

/**
 * Row-level security keeps an index from being used with operators that are not leakproof, as those of full text and
 * trigrams are not. So these two run as their owner, and take the tenant from the transaction, never from an argument.
 */
const FIND = `
    create function similar_work_item_words(piece text) returns text[] language sql stable
      security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
        select array(
          select w.word from work_item_words w
          where w.client_id = app_client_id() and length(piece) > 2
            and (w.word % piece and similarity(w.word, piece) > 0.45 or w.word like '%' || regexp_replace(piece, '([%_\\\\])', '\\\\\\1', 'g') || '%')
          group by w.word order by similarity(w.word, piece) desc, w.word limit 8);
      $$;
    create function find_work_items(search text, facets text[], most int,
        out query text, out ids text, out matches int) language plpgsql stable
      security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
      declare
        prefix text := app_client_id()::text;
        needed tsquery;
        wanted tsquery;
        facet text;
      begin
        foreach facet in array facets loop
          wanted := lexeme_literal(prefix || facet)::tsquery;
          needed := case when needed is null then wanted else needed && wanted end;
        end loop;
        for effort in 1..3 loop
          wanted := case when search is not null then work_item_query(prefix, search, effort) end;
          wanted := case when search is null then needed when needed is null then wanted else wanted && needed end;
          select string_agg(hit.id::text, ','), count(*) into ids, matches from (
            select w.id from work_items w
            where w.search @@ wanted and w.client_id + 0 = app_client_id() and w.deleted_at is null limit most + 1) hit;
          exit when matches > 0 or search is null;
        end loop;
        query := wanted::text;
        -- An incomplete list is of no use.
        if matches > most then ids := null; end if;
      end $$;
    revoke all on function similar_work_item_words(text), find_work_items(text, text[], int) from public;
    grant execute on function similar_work_item_words(text), find_work_items(text, text[], int) to app;`;
