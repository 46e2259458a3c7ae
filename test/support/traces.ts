import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const COLUMNS = `
  select table_schema as schema, table_name as table, column_name as column, data_type as type
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
    and data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'USER-DEFINED')`;

interface Column {
  schema: string;
  table: string;
  column: string;
  type: string;
}

/**
 * Every column of every table, and every file below a folder, that holds a word, in whatever case: `table.column`, and
 * paths relative to the folder. What is sealed or compressed is not seen through.
 */
export async function tracesOf(
  word: string,
  { databaseUrl, folder }: { databaseUrl: string; folder: string },
): Promise<string[]> {
  const [columns, files] = await Promise.all([columnsWith(word, databaseUrl), filesWith(word, folder)]);
  return [...columns, ...files].sort();
}

async function columnsWith(word: string, connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(COLUMNS);
    const searches = columns.map(({ schema, table, column, type }) => {
      const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
      return `select '${table}.${column}' as place
        where exists (select from "${schema}"."${table}" where position(lower($1) in lower(${value})) > 0)`;
    });
    const { rows } = await client.query<{ place: string }>(searches.join(' union all '), [word]);
    return rows.map(({ place }) => place);
  } finally {
    await client.end();
  }
}

async function filesWith(word: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const text = (await readFile(path)).toString('latin1').toLowerCase();
    if (text.includes(word.toLowerCase())) found.push(path.slice(folder.length + 1));
  }
  return found;
}
