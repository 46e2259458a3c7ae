import { join } from 'node:path';
import type { RunningPostgres } from './postgres.ts';
import { ensureSecrets, requireSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { shortPath } from './stack-notes.ts';

/** Read by the stack itself, and of no use or of another meaning to its processes. */
const STACK_VARIABLES = ['DATABASE_URL', 'PG_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'TEMPORAL_CLI_PATH'];

export interface ProcessNeeds {
  secrets: Secrets;
  /** The embedded database; undefined for the one of DATABASE_URL. */
  postgres: Pick<RunningPostgres, 'appUrl' | 'systemUrl'> | undefined;
  temporalAddress: string;
  apiPort: number;
}

/** The environment of the API, the workers and the seed. What the caller set wins, but for addresses chosen here. */
export function processEnvironment(
  settings: Settings,
  needs: ProcessNeeds,
  given: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const { varDir, databaseUrl, demo } = settings;
  const { secrets, postgres, temporalAddress, apiPort } = needs;
  const own: NodeJS.ProcessEnv = {
    BLOB_DIR: join(varDir, 'blobs'),
    WORKFLOW_BUNDLE_DIR: join(varDir, 'cache'),
    // Node keeps the compiled modules there: a process that starts again need not compile them anew.
    NODE_COMPILE_CACHE: join(varDir, 'cache', 'modules'),
    // The demo's receiver, and most of what one builds against at first, lie on private addresses.
    ALLOW_PRIVATE_TARGETS: String(databaseUrl === undefined || demo),
    ...inherited(given),
    ...secrets,
    VAR_DIR: varDir,
    API_PORT: String(apiPort),
    TEMPORAL_ADDRESS: temporalAddress,
  };
  if (postgres === undefined) return { ...own, DATABASE_URL: databaseUrl };
  return { ...own, DATABASE_APP_URL: postgres.appUrl, DATABASE_SYSTEM_URL: postgres.systemUrl };
}

/** Migrations alone act as the database's owner. */
export function migrationEnvironment(
  { databaseUrl }: Settings,
  postgres: RunningPostgres | undefined,
): NodeJS.ProcessEnv {
  return { ...inherited(), DATABASE_OWNER_URL: postgres?.ownerUrl ?? databaseUrl };
}

export function receiverEnvironment({ varDir, receiverPort }: Settings): NodeJS.ProcessEnv {
  return { ...inherited(), VAR_DIR: varDir, RECEIVER_PORT: String(receiverPort) };
}

/** The secrets, and what to say about them. */
export function stackSecrets(settings: Settings): { secrets: Secrets; note: string } {
  if (settings.databaseUrl !== undefined) return { secrets: requireSecrets(), note: 'from the environment' };
  const { secrets, made, folder } = ensureSecrets(settings.varDir);
  const where = shortPath(settings, folder);
  if (made.length === 0) return { secrets, note: `kept in ${where}` };
  return { secrets, note: `made ${made.join(', ')} in ${where} (mode 0600): without them the data can't be read` };
}

function inherited(given: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== '' && !STACK_VARIABLES.includes(name)),
  );
}
