import pg from 'pg';
import { SERVER_CORE, runScript } from '../pinned.ts';

export type LimitKind = 'bare' | 'select' | 'insert';
/** `sign`: no table at all, one ES256 signature. */
export type LimitServerKind = LimitKind | 'sign';

export const LIMIT_ROWS = 10_000;

const TABLES = `
  create table limit_rows (id int primary key, name text not null, status text not null, payload jsonb not null);
  insert into limit_rows select i, 'Row ' || i, 'open', jsonb_build_object('n', i, 'note', repeat('x', 200))
    from generate_series(1, ${String(LIMIT_ROWS)}) i;
  create table limit_inserts (
    id bigserial primary key, name text not null, payload jsonb not null, at timestamptz not null default now());
  analyze limit_rows`;

/** Makes the limit servers' tables beside the API's own, in the same database. */
export async function createLimitTables(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(TABLES);
  } finally {
    await client.end();
  }
}

export interface LimitServer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** `isPinned` false where the API beside it isn't held to a core either. */
export async function startLimitServer(kind: LimitServerKind, ownerUrl: string, isPinned = true): Promise<LimitServer> {
  const env = { ...process.env, LIMIT_DATABASE_URL: ownerUrl, NODE_ENV: 'production' };
  const core = isPinned ? { core: SERVER_CORE } : {};
  const script = await runScript('bench/limits/server.ts', { args: [kind], env, ...core });
  return { port: Number(script.ready['port']), pid: script.pid, stop: () => script.stop() };
}
