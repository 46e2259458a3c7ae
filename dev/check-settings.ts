import { ConfigError, loadConfig } from '../platform/config.ts';
import { StartError, messageOf } from './errors.ts';
import { givenSecretProblems } from './secrets.ts';
import { readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { processEnvironment } from './stack-environment.ts';
import { installedTemporalCli } from './temporal-cli.ts';

/** Stand for what the stack fills in later, or what is checked apart from the platform's schema. */
const PLACEHOLDER_URL = 'postgresql://placeholder@127.0.0.1/placeholder';
const PLACEHOLDER_SECRETS = {
  MASTER_KEY: Buffer.alloc(32).toString('base64'),
  JWT_KEYS: '{"keys":[]}',
  CRON_SECRET: 'placeholder',
};

/** The settings of `npm start`, or a {@link StartError} that lists every problem: its own and its processes'. Writes nothing. */
export function checkedSettings(argv: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const { settings, problems } = readSettings(argv, env);
  const all = [
    ...problems,
    ...temporalCliProblems(settings, env),
    ...givenSecretProblems(env, settings.databaseUrl !== undefined),
    ...platformProblems(settings, env),
  ];
  if (all.length === 0) return settings;
  throw new StartError(
    `The environment does not fit; nothing was started:\n${all.map((line) => `  - ${line}`).join('\n')}`,
  );
}

function temporalCliProblems({ temporalAddress }: Settings, env: NodeJS.ProcessEnv): string[] {
  const path = env['TEMPORAL_CLI_PATH'];
  if (temporalAddress !== undefined || path === undefined || path === '') return [];
  try {
    installedTemporalCli(env);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** What the API and the workers would say of their environment. */
function platformProblems(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  const external = settings.databaseUrl !== undefined;
  const needs = {
    secrets: PLACEHOLDER_SECRETS,
    postgres: external ? undefined : { appUrl: PLACEHOLDER_URL, systemUrl: PLACEHOLDER_URL },
    temporalAddress: settings.temporalAddress ?? '127.0.0.1:0',
    apiPort: settings.apiPort,
  };
  const databaseUrl = external ? PLACEHOLDER_URL : undefined;
  try {
    loadConfig(processEnvironment({ ...settings, databaseUrl }, needs, env));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The first line is the heading; each problem follows as `  - NAME: what is wrong`.
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ {2}- /, ''));
  }
}
