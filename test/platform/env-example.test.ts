import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, Environment, loadConfig } from '../../platform/config.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Entry {
  value: string;
  /** Written `#NAME=value`: the value is the default. */
  isDefault: boolean;
  /** The line above it. */
  above: string;
}

function readExample(): Map<string, Entry> {
  const lines = readFileSync(join(ROOT, '.env.example'), 'utf8').split('\n');
  const entries = new Map<string, Entry>();
  for (const [index, line] of lines.entries()) {
    const [, mark, name, value] = /^(#?)([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (entries.has(name)) throw new Error(`${name} stands twice in .env.example`);
    entries.set(name, { value, isDefault: mark === '#', above: lines[index - 1] ?? '' });
  }
  return entries;
}

/** What migrations and `npm start` read themselves; the processes have no use for it. */
const OUTSIDE_THE_SCHEMA = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'VAR_DIR',
  'PG_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'RECEIVER_PORT',
  'TEMPORAL_CLI_PATH',
];

/** Variables of the system, and those by which our own processes talk to each other. */
const NOT_FOR_USERS = ['FUZZ_DIR', 'PATH', 'XDG_CACHE_HOME', 'DEMO_RECEIVER_URL'];

const REQUIRED = {
  DATABASE_APP_URL: 'postgresql://app@db.example/platform',
  DATABASE_SYSTEM_URL: 'postgresql://system@db.example/platform',
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  JWT_KEYS: '{"keys":[]}',
};

describe('.env.example', () => {
  const example = readExample();
  const schemaNames = Object.keys(Environment.shape);

  it('names every variable of the schema, and none that nobody reads', () => {
    expect([...example.keys()].sort()).toEqual([...schemaNames, ...OUTSIDE_THE_SCHEMA].sort());
  });

  it('explains each variable in the line above it', () => {
    const bare = [...example].filter(([, entry]) => !/^# \S/.test(entry.above)).map(([name]) => name);
    expect(bare).toEqual([]);
  });

  it('leaves uncommented exactly those without which the processes do not start', () => {
    const parsed = Environment.safeParse({});
    const missing = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
    const uncommented = [...example].filter(([, entry]) => !entry.isDefault).map(([name]) => name);
    expect(uncommented.sort()).toEqual([...missing].sort());
  });

  it('shows the defaults of the schema', () => {
    const stated = Object.fromEntries(
      [...example]
        .filter(([name, { value }]) => schemaNames.includes(name) && value !== '')
        .map(([k, e]) => [k, e.value]),
    );
    expect(Environment.parse({ ...stated, ...REQUIRED })).toEqual(Environment.parse(REQUIRED));
  });

  it('states a value wherever the schema has a default that is not empty', () => {
    const defaults = Environment.parse(REQUIRED);
    const unstated = Object.entries(defaults)
      .filter(([name, value]) => !(name in REQUIRED) && value !== undefined && String(value) !== '')
      .filter(([name]) => example.get(name)?.value === '')
      .map(([name]) => name);
    expect(unstated).toEqual([]);
  });

  it('names every variable that npm start reads', () => {
    const files = readdirSync(join(ROOT, 'dev')).filter((name) => name.endsWith('.ts'));
    const source = files.map((name) => readFileSync(join(ROOT, 'dev', name), 'utf8')).join('\n');
    const reads = source.matchAll(/env(?:\[|, )'([A-Z][A-Z0-9_]+)'/g);
    const read = new Set([...reads].flatMap(([, name]) => name ?? []));
    const unknown = [...read].filter((name) => !example.has(name) && !NOT_FOR_USERS.includes(name));
    expect(read.has('VAR_DIR')).toBe(true);
    expect(unknown).toEqual([]);
  });
});

describe('loadConfig', () => {
  it('lists every problem, one a line, and never a value', () => {
    const env = { ...REQUIRED, MASTER_KEY: 'too-short', API_PORT: '99999', BLOB_DRIVER: 'ftp' };
    let message = '';
    try {
      loadConfig(env);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message.match(/ {2}- \w+/g)?.sort()).toEqual(['  - API_PORT', '  - BLOB_DRIVER', '  - MASTER_KEY']);
    expect(message).not.toContain('too-short');
  });

  it('reaches both roles through DATABASE_URL where only that is given', () => {
    const { MASTER_KEY, JWT_KEYS } = REQUIRED;
    const config = loadConfig({ MASTER_KEY, JWT_KEYS, DATABASE_URL: 'postgresql://owner:pw@db.example:5432/platform' });
    expect(new URL(config.DATABASE_APP_URL).searchParams.get('options')).toBe('-c role=app');
    expect(new URL(config.DATABASE_SYSTEM_URL).searchParams.get('options')).toBe('-c role=system');
  });

  it('wants a bucket with the S3 driver', () => {
    expect(() => loadConfig({ ...REQUIRED, BLOB_DRIVER: 's3' })).toThrow('S3_BUCKET: is missing');
  });
});
