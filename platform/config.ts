import { z } from 'zod';

/**
 * The one schema over the environment. Every variable that a process reads is named here, and `.env.example` lists
 * the same ones (a test holds the two together).
 */
const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((value) => value === 'true' || value === '1');
const port = z.coerce.number().int().min(0).max(65_535);
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
const optionalUrl = z
  .union([z.literal(''), z.url()])
  .optional()
  .transform((value) => (value === '' ? undefined : value));
const smtpUrl = z
  .union([z.literal(''), z.url({ protocol: /^smtps?$/, error: 'must be smtp://host:port or smtps://host:port' })])
  .optional()
  .transform((value) => (value === '' ? undefined : value));
/** `address`, or `Name <address>`. */
const MAIL_SENDER = /^(?:[^<>"\r\n]{0,100}<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/;

export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: port.default(3000),
  PUBLIC_URL: optionalUrl,
  TRUSTED_PROXIES: list,
  CORS_ORIGINS: list,
  MCP_ALLOWED_ORIGINS: list,
  MCP_FIXTURE_TOOLS: flag,
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(1).max(600).default(25),

  DATABASE_APP_URL: z.url(),
  DATABASE_SYSTEM_URL: z.url(),
  DATABASE_DIRECT_URL: optionalUrl,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(16),

  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE_PREFIX: z.string().default(''),

  MASTER_KEY: z.string().refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64'),
  JWT_KEYS: z.string().min(1),
  CRON_SECRET: z.string().optional(),

  BLOB_DRIVER: z.enum(['fs', 's3']).default('fs'),
  BLOB_DIR: z.string().default('var/blobs'),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ENDPOINT: optionalUrl,
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),

  SMTP_URL: smtpUrl,
  MAIL_FROM: z
    .string()
    .regex(MAIL_SENDER, 'must be an address, or: Name <address>')
    .default('Business Platform <no-reply@localhost>'),

  ALLOW_PRIVATE_TARGETS: flag,
  RATE_LIMIT_DISABLED: flag,
  WORKER_METRICS_HOST: z.string().default('127.0.0.1'),
  WORKER_METRICS_PORT: port.default(0),
  WORKFLOW_BUNDLE_DIR: z.string().default('var/cache'),
  VISION_SANDBOX: flag,
  VISION_SYNC_BUDGET_MS: z.coerce.number().int().min(100).max(300_000).optional(),
  DOCUMENT_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  DOCUMENT_MEMORY_MB: z.coerce.number().int().min(256).max(16_384).default(900),

  HEALTH_API_GATEWAY_URL: optionalUrl,
  HEALTH_WEBSOCKET_URL: optionalUrl,
  HEALTH_WHATSAPP_URL: optionalUrl,
  HEALTH_FIREWALL_URL: optionalUrl,
  HEALTH_FREESWITCH_URL: optionalUrl,
});

export type Config = z.output<typeof Environment>;

/** Where the API is reached: as it is told, or on `port` of its own machine. */
export function publicUrlOf(config: Config, port = config.API_PORT): string {
  return config.PUBLIC_URL ?? `http://${config.API_HOST}:${String(port)}`;
}

/** Thrown when the environment does not fit; the message lists every problem, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The checked configuration, or a {@link ConfigError} that names every variable that is wrong and how. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const merged: Record<string, string | undefined> = { ...env, ...databaseUrls(env) };
  const parsed = Environment.safeParse(merged);
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, merged));
  const problems = [...wrong, ...crossFieldProblems(merged)];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(`The configuration does not fit:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
  }
  return parsed.data;
}

/**
 * With only `DATABASE_URL` (an owner's address) given, both roles are reached through it: the session starts as the
 * role by the `role` start-up parameter, so that row-level security binds it all the same.
 */
function databaseUrls(env: Record<string, string | undefined>): Record<string, string> {
  const owner = env['DATABASE_URL'];
  if (owner === undefined || owner === '') return {};
  const asRole = (role: string): string => {
    const url = new URL(owner);
    url.searchParams.set('options', `-c role=${role}`);
    return url.toString();
  };
  return {
    DATABASE_APP_URL: env['DATABASE_APP_URL'] ?? asRole('app'),
    DATABASE_SYSTEM_URL: env['DATABASE_SYSTEM_URL'] ?? asRole('system'),
  };
}

function describeIssue(issue: z.core.$ZodIssue, env: Record<string, string | undefined>): string {
  const name = issue.path.join('.');
  return `${name}: ${env[name] === undefined ? 'is missing' : issue.message}`;
}

function crossFieldProblems(env: Record<string, string | undefined>): string[] {
  const fixtures = env['MCP_FIXTURE_TOOLS'] ?? '';
  const isProduction = env['NODE_ENV'] === 'production';
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const problems: string[] = [];
  if (isProduction && !['', 'false', '0'].includes(fixtures))
    problems.push('MCP_FIXTURE_TOOLS: is for conformance tests, never for production');
  if (env['BLOB_DRIVER'] === 's3' && env['S3_BUCKET'] === undefined)
    problems.push('S3_BUCKET: is missing (BLOB_DRIVER is s3)');
  // Mail from the default, no-reply@localhost, is refused by nearly every server, for good.
  if (isProduction && isSet('SMTP_URL') && !isSet('MAIL_FROM'))
    problems.push('MAIL_FROM: is missing (SMTP_URL is set)');
  return problems;
}
