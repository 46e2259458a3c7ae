import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { makePrivateFolder, readTextFile, writePrivateFile } from './files.ts';

/** What the processes get in their environment. */
export interface Secrets {
  MASTER_KEY: string;
  JWT_KEYS: string;
  CRON_SECRET: string;
}

type SecretName = keyof Secrets;

interface SecretKind {
  file: string;
  purpose: string;
  make: () => string;
  /** What is wrong with the value, if anything. */
  problem: (value: string) => string | undefined;
}

const KINDS: Record<SecretName, SecretKind> = {
  MASTER_KEY: {
    file: 'master.key',
    purpose: '32 bytes in base64; encrypts keys and secrets at rest',
    make: () => randomBytes(32).toString('base64'),
    problem: (value) => (Buffer.from(value, 'base64').length === 32 ? undefined : 'must be 32 bytes in base64'),
  },
  JWT_KEYS: {
    file: 'jwt-keys.json',
    purpose: 'JSON Web Key set of ES256 private keys; signs access tokens',
    make: makeKeySet,
    problem: (value) =>
      isKeySet(value) ? undefined : 'must be a JSON Web Key set with at least one private key: {"keys": [...]}',
  },
  CRON_SECRET: {
    file: 'cron.secret',
    purpose: 'any long random text; authenticates calls of the schedule endpoints',
    make: () => randomBytes(32).toString('base64url'),
    problem: (value) => (value.length >= 16 ? undefined : 'must have at least 16 characters'),
  },
};

const NAMES = Object.keys(KINDS) as SecretName[];

export interface SecretsResult {
  secrets: Secrets;
  /** Names of those made by this call. */
  made: SecretName[];
  folder: string;
}

/** The secrets of a stack with its own database: those of the environment, else those kept in `var/secrets`, made once. */
export function ensureSecrets(varDir: string, env: NodeJS.ProcessEnv = process.env): SecretsResult {
  const folder = join(varDir, 'secrets');
  makePrivateFolder(folder);
  const made: SecretName[] = [];
  const problems: string[] = [];
  const read = (name: SecretName): string => {
    const { file, make, problem } = KINDS[name];
    const given = env[name];
    const path = join(folder, file);
    const stored = given === undefined || given === '' ? readTextFile(path)?.trim() : given;
    if (stored !== undefined) {
      const wrong = problem(stored);
      if (wrong !== undefined) problems.push(`${stored === given ? name : path}: ${wrong}`);
      return stored;
    }
    const value = make();
    writePrivateFile(path, `${value}\n`);
    made.push(name);
    return value;
  };
  const secrets: Secrets = {
    MASTER_KEY: read('MASTER_KEY'),
    JWT_KEYS: read('JWT_KEYS'),
    CRON_SECRET: read('CRON_SECRET'),
  };
  if (problems.length > 0)
    throw new StartError(`These secrets can't be used:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
  return { secrets, made, folder };
}

/**
 * The secrets of a stack on an external database. They are never made here: a second machine would make others, and
 * could read nothing of what the first one encrypted.
 */
export function requireSecrets(env: NodeJS.ProcessEnv = process.env): Secrets {
  const problems = givenSecretProblems(env, true);
  if (problems.length > 0) {
    throw new StartError(
      `With DATABASE_URL set, the secrets come from the environment:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    );
  }
  return {
    MASTER_KEY: env['MASTER_KEY'] ?? '',
    JWT_KEYS: env['JWT_KEYS'] ?? '',
    CRON_SECRET: env['CRON_SECRET'] ?? '',
  };
}

/** What is wrong with the secrets in the environment; `required` counts those that are not there. */
export function givenSecretProblems(env: NodeJS.ProcessEnv, required: boolean): string[] {
  return NAMES.flatMap((name) => {
    const value = env[name];
    if (value === undefined || value === '') return required ? [`${name} is missing: ${KINDS[name].purpose}`] : [];
    const wrong = KINDS[name].problem(value);
    return wrong === undefined ? [] : [`${name} ${wrong}`];
  });
}

/** Two keys: the first signs, the second is published already, so that it is known everywhere when its turn comes. */
function makeKeySet(): string {
  return JSON.stringify({ keys: [makeSigningKey(), makeSigningKey()] });
}

function makeSigningKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(9).toString('base64url');
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
}

function isKeySet(text: string): boolean {
  try {
    const { keys } = JSON.parse(text) as { keys?: { d?: unknown; kid?: unknown }[] };
    return (
      Array.isArray(keys) &&
      keys.length > 0 &&
      keys.every((key) => typeof key.d === 'string' && typeof key.kid === 'string')
    );
  } catch {
    return false;
  }
}
