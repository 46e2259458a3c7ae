import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { messageOf, StartError } from './errors.ts';
import { readTextFile } from './files.ts';
import { rolePasswords, roleUrl } from './postgres-roles.ts';
import { ensureSecrets } from './secrets.ts';
import { readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { processEnvironment } from './stack-environment.ts';
import { readyFile } from './tour.ts';

/** What `ready.json` tells of a stack that runs. */
interface Ready {
  api_url: string;
  postgres_port: number | null;
}

/**
 * `npm run client`: the operator's command (api/manage-client.ts) on the database of the environment, or else on that of the stack
 * that `npm start` runs on this machine.
 */
function main(): void {
  const { settings } = readSettings([], process.env);
  const isGiven = ['DATABASE_URL', 'DATABASE_SYSTEM_URL'].some((name) => (process.env[name] ?? '') !== '');
  const command = spawn(process.execPath, [join(settings.root, 'api/manage-client.ts'), ...process.argv.slice(2)], {
    env: isGiven ? process.env : stackEnvironment(settings),
    stdio: 'inherit',
  });
  command.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}

function stackEnvironment(settings: Settings): NodeJS.ProcessEnv {
  const { varDir } = settings;
  const text = readTextFile(readyFile(settings));
  const ready = text === undefined ? undefined : (JSON.parse(text) as Ready);
  if (ready?.postgres_port === undefined || ready.postgres_port === null) {
    throw new StartError(
      `No stack with a database of its own runs on ${varDir}: start it (npm start), or give DATABASE_URL and the secrets.`,
    );
  }
  const passwords = rolePasswords(varDir, varDir);
  const url = (role: 'app' | 'system'): string => roleUrl(role, passwords, Number(ready.postgres_port));
  return {
    PUBLIC_URL: ready.api_url,
    ...processEnvironment(settings, {
      secrets: ensureSecrets(varDir).secrets,
      postgres: { appUrl: url('app'), systemUrl: url('system') },
      temporalAddress: settings.temporalAddress ?? '127.0.0.1:0',
      apiPort: settings.apiPort,
    }),
  };
}

try {
  main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
