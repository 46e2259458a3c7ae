import { Migration } from '@mikro-orm/migrations';

/** Work items are found by words of any script, without their accents too, and stored whatever long "words" they hold. */
export class Migration20261125030000_search_without_accents extends Migration {
  override up(): void {
    this.addSql(WORDS);
    this.addSql(LEXEMES);
    this.addSql(QUERY);
    this.addSql(READ_AGAIN);
  }
}

/**
 * A text as it is searched: in lower case, an accent and its letter one character. PostgreSQL's parser takes all beyond ASCII for
 * letters where the locale is C; typographic quotes, dashes and the like part words all the same.
 */
const WORDS = `
    create function composed_words(words text) returns text language sql immutable parallel safe
      return regexp_replace(lower(normalize(words, NFC)), '(?=[^\\u0001-\\u007f])[[:punct:][:space:]]', ' ', 'g');

    -- Of a text in lower case, for those who type it without its marks: müller, łódź, αθήνα, straße.
    create function without_accents(words text) returns text language sql immutable parallel safe
      return replace(replace(replace(
        translate(normalize(regexp_replace(normalize(words, NFKD), '[\\u0300-\\u036f]', '', 'g'), NFKC),
          'øłđıħ', 'oldih'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');`;

/** In the place of that of 20261122010100_work_item_search. Most texts are plain and short: they pay nothing for the others. */
const LEXEMES = `
    create function unusual_lexemes(words text) returns tsvector language plpgsql immutable parallel safe as $$
      declare
        composed text := composed_words(words);
        lexemes tsvector;
      begin
        words := composed || ' ' || without_accents(composed);
        lexemes := strip(to_tsvector('simple', words) || to_tsvector('english', words));
        -- to_tsvector takes words of 2,046 bytes; with the client before it such a one is too long for a tsvector.
        return ts_delete(lexemes, array(
          select lexeme from unnest(tsvector_to_array(lexemes)) lexeme where octet_length(lexeme) > 2000));
      end $$;
    create or replace function work_item_lexemes(client_id int, item_number text, title text, description text,
        contact_name text, tags text[], module_context text) returns tsvector
      language plpgsql immutable parallel safe as $$
      declare
        words text := title || ' ' || coalesce(contact_name, '') || ' ' || coalesce(description, '');
      begin
        -- In a tsvector's text each lexeme begins with a quote after a space, and none has a space in it.
        return replace(
            ' ' || (case when octet_length(words) > least(char_length(words), 2000) then unusual_lexemes(words)
              else strip(to_tsvector('simple', words) || to_tsvector('english', words)) end)::text,
            ' ''', ' ''' || client_id || ':')::tsvector
          || array_to_tsvector(array_remove(array[
            client_id || '=' || lower(item_number),
            client_id || '=' || ltrim(substr(item_number, strpos(item_number, '-') + 1), '0'),
            client_id || '@' || module_context,
            case when cardinality(tags) = 1 and tags[1] <> '' then client_id || '#' || tags[1] end], null)
            || case when cardinality(tags) > 1 then work_item_tags(client_id::text, tags) else '{}' end);
      end $$;`;

/** In the place of that of 20261122010100_work_item_search: a word is looked for as it is written, and without its accents. */
const QUERY = `
    create or replace function work_item_query(prefix text, search text, effort int) returns tsquery
      language plpgsql stable as $$
      declare
        pieces text[] := array(
          select p from regexp_split_to_table(composed_words(search), '\\s+') p where p <> '' limit 12);
        telling text[] := array(select p from unnest(pieces) p where to_tsvector('english', p) <> '');
        piece text;
        form text;
        parts text[];
        stems text[];
        choices text[];
        whole tsquery;
      begin
        foreach piece in array case when telling = '{}' then pieces else telling end loop
          parts := tsvector_to_array(to_tsvector('simple', piece));
          choices := array[
            case when piece ~ '\\d' or parts = '{}' then lexeme_literal(prefix || '=' || left(piece, 100)) end,
            (select string_agg(lexeme_literal(prefix || ':' || near), ' | ')
              from unnest(case when effort > 2 then similar_work_item_words(piece) end) near)];
          foreach form in array array_remove(array[piece, nullif(without_accents(piece), piece)], null) loop
            parts := tsvector_to_array(to_tsvector('simple', form));
            stems := tsvector_to_array(to_tsvector('english', form));
            choices := choices || array[
              (select string_agg(lexeme_literal(prefix || ':' || part)
                || case when effort > 1 and length(part) > 2 and part ~ '[^-\\d]' then ':*' else '' end, ' & ')
                from unnest(parts) part),
              (select string_agg(lexeme_literal(prefix || ':' || stem), ' & ') from unnest(stems) stem where stems <> parts)];
          end loop;
          piece := array_to_string(array(select '(' || c || ')' from unnest(choices) c where c is not null), ' | ');
          whole := case when whole is null then piece::tsquery else whole && piece::tsquery end;
        end loop;
        return whole;
      end $$;`;

/** What an item is found by is stored with it: of those that were there before too, where it is another now. */
const READ_AGAIN = `
    set local role system;
    update work_items set title = title
    where octet_length(title) > char_length(title) or octet_length(contact_name) > char_length(contact_name)
      or octet_length(description) > char_length(description);
    reset role;`;
