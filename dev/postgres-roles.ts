import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from './errors.ts';
import { makePrivateFolder, readTextFile, writePrivateFile } from './files.ts';

export const DATABASE_NAME = 'business_platform';
export const SUPERUSER = 'postgres';

/** A role's name is that of its password. */
const LOGIN_ROLES = ['owner', 'app', 'system'] as const;
const ALL_ROLES = [SUPERUSER, ...LOGIN_ROLES] as const;

export type RolePasswords = Record<(typeof ALL_ROLES)[number], string>;

/** The passwords in `var/secrets/postgres.json`; makes them for a new database. */
export function rolePasswords(varDir: string, dataDir: string): RolePasswords {
  const folder = join(varDir, 'secrets');
  const path = join(folder, 'postgres.json');
  const text = readTextFile(path);
  if (text !== undefined) return parsePasswords(text, path);
  if (existsSync(dataDir)) {
    throw new StartError(
      `${path} is missing, but ${dataDir} holds a database whose passwords it had. ` +
        'Restore the file, or move the var/ folder away to start with new data.',
    );
  }
  const random = (): string => randomBytes(24).toString('base64url');
  const passwords: RolePasswords = { postgres: random(), owner: random(), app: random(), system: random() };
  makePrivateFolder(folder);
  writePrivateFile(path, `${JSON.stringify(passwords)}\n`);
  return passwords;
}

function parsePasswords(text: string, path: string): RolePasswords {
  try {
    const parsed = JSON.parse(text) as Partial<RolePasswords>;
    if (ALL_ROLES.every((role) => typeof parsed[role] === 'string')) return parsed as RolePasswords;
  } catch {
    // Falls through: not JSON is the same to the reader as JSON without the passwords.
  }
  throw new StartError(`${path} can't be read: it should hold a password each for ${ALL_ROLES.join(', ')}.`);
}

/** The address of a database on this machine as one role. */
export function roleUrl(
  role: keyof RolePasswords,
  passwords: RolePasswords,
  port: number,
  database = DATABASE_NAME,
): string {
  return `postgresql://${role}:${encodeURIComponent(passwords[role])}@127.0.0.1:${String(port)}/${database}`;
}

/** Makes the login roles and the database where they are missing; a start cut off half-way is made good by the next. */
export async function ensureRolesAndDatabase(port: number, passwords: RolePasswords): Promise<void> {
  const client = new pg.Client({
    connectionString: roleUrl(SUPERUSER, passwords, port, 'postgres'),
    connectionTimeoutMillis: 10_000,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      'select rolname as name from pg_roles union all select datname from pg_database',
    );
    const names = new Set(rows.map((row) => row.name));
    for (const role of LOGIN_ROLES) if (!names.has(role)) await createLoginRole(client, role, passwords[role]);
    // Migrations act for these roles. Granting again changes nothing.
    await client.query('grant app, system to owner');
    if (!names.has(DATABASE_NAME)) await client.query(`create database ${DATABASE_NAME} owner owner`);
  } finally {
    await client.end();
  }
}

async function createLoginRole(client: pg.Client, role: string, password: string): Promise<void> {
  const attributes = 'login nosuperuser nobypassrls nocreatedb nocreaterole';
  await client.query(`create role ${role} ${attributes} password ${client.escapeLiteral(password)}`);
}
