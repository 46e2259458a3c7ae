import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { StartError, messageOf } from './errors.ts';
import { readTextFile } from './files.ts';
import { portFromEnv } from './ports.ts';

/** What `npm start` was asked for, by its arguments and environment. */
export interface Settings {
  root: string;
  varDir: string;
  demo: boolean;
  /** An external database's address as its owner; undefined for the embedded one. */
  databaseUrl: string | undefined;
  /** An external Temporal; undefined for the dev server. */
  temporalAddress: string | undefined;
  apiPort: number;
  pgPort: number;
  temporalPort: number;
  temporalUiPort: number;
  receiverPort: number;
}

const DEFAULT_PORTS = { API_PORT: 3000, PG_PORT: 54_329, TEMPORAL_PORT: 7233, TEMPORAL_UI_PORT: 8233 };

const USAGE = `npm start [-- --no-demo]

  --no-demo   without the demo tenant and its webhook receiver

Variables: DATABASE_URL, TEMPORAL_ADDRESS, VAR_DIR, API_PORT, PG_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT, RECEIVER_PORT,
TEMPORAL_CLI_PATH and those of .env.example.`;

/** The settings as far as they can be read, and what is wrong with the others. Writes nothing. */
export function readSettings(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): { settings: Settings; problems: string[] } {
  const { demo } = readArguments(argv);
  const problems: string[] = [];
  const root = fileURLToPath(new URL('..', import.meta.url));
  const varDir = resolve(root, given(env, 'VAR_DIR') ?? 'var');
  const port = (name: string, fallback: number): number => {
    try {
      return portFromEnv(env, name, fallback);
    } catch (error) {
      problems.push(messageOf(error));
      return fallback;
    }
  };
  const settings: Settings = {
    root,
    varDir,
    demo,
    databaseUrl: given(env, 'DATABASE_URL'),
    temporalAddress: given(env, 'TEMPORAL_ADDRESS'),
    apiPort: port('API_PORT', DEFAULT_PORTS.API_PORT),
    pgPort: port('PG_PORT', DEFAULT_PORTS.PG_PORT),
    temporalPort: port('TEMPORAL_PORT', DEFAULT_PORTS.TEMPORAL_PORT),
    temporalUiPort: port('TEMPORAL_UI_PORT', DEFAULT_PORTS.TEMPORAL_UI_PORT),
    receiverPort: port('RECEIVER_PORT', lastReceiverPort(varDir)),
  };
  if (settings.databaseUrl !== undefined && !isPostgresUrl(settings.databaseUrl))
    problems.push('DATABASE_URL is not an address of PostgreSQL: postgresql://user:password@host:5432/database');
  return { settings, problems };
}

function readArguments(argv: readonly string[]): { demo: boolean } {
  try {
    const options = { demo: { type: 'boolean', default: true }, help: { type: 'boolean', default: false } } as const;
    const { values } = parseArgs({ args: [...argv], options, allowNegative: true });
    if (values.help) throw new StartError(USAGE);
    return { demo: values.demo };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

function isPostgresUrl(url: string): boolean {
  return URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol);
}

/** The receiver takes its last port again, since webhooks and deliveries of earlier starts have its address. */
function lastReceiverPort(varDir: string): number {
  const port = Number(readTextFile(receiverPortFile(varDir)));
  return Number.isSafeInteger(port) && port > 0 && port <= 65_535 ? port : 0;
}

export function receiverPortFile(varDir: string): string {
  return join(varDir, 'demo-receiver.port');
}

function given(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/** A document to post in the tour: a real receipt where the shared data set lies beside the clone, else our own invoice. */
export function sampleReceipt(root: string): string | undefined {
  const candidates = [
    '../shared/data/receipts/azure_contoso-receipt.jpg',
    'test/fixtures/documents/invoice-text-layer.pdf',
  ];
  return candidates.map((path) => resolve(root, path)).find((path) => existsSync(path));
}
