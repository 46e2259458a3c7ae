import { createAuthenticator } from '../domain/auth/index.ts';
import type { Authenticator } from '../domain/auth/index.ts';
import { entities } from '../domain/entities.ts';
import { KeyUsage } from '../domain/keys/index.ts';
import { createKnownApplications, createTokenCheck } from '../domain/oauth/index.ts';
import type { KnownApplications } from '../domain/oauth/index.ts';
import { createPostgresLeaseStore, createRateLimiter, createUnlimited } from '../domain/limits/index.ts';
import type { RateLimiter } from '../domain/limits/index.ts';
import { createBlobStore } from '../platform/blobs.ts';
import type { BlobStore } from '../platform/blobs.ts';
import { systemClock } from '../platform/clock.ts';
import type { Clock } from '../platform/clock.ts';
import { publicUrlOf } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { createVault } from '../platform/crypto.ts';
import type { Vault } from '../platform/crypto.ts';
import { Broadcast } from '../platform/db/broadcast.ts';
import { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { createJwtSigner } from '../platform/jwt.ts';
import type { JwtSigner } from '../platform/jwt.ts';
import type { Logger } from '../platform/log.ts';
import { GuardedHttp } from '../platform/http/guarded-client.ts';
import { TemporalGateway } from '../platform/temporal.ts';

/** What the API process is made of; `createApp` takes it whole, so that a test can hand in its own clock or log. */
export interface Services {
  config: Config;
  /** How callers reach this API, for links in answers and mails; `createApp` is told it. */
  publicUrl: string;
  log: Logger;
  clock: Clock;
  /** Role `app`: one tenant at a time. */
  tenants: TenantDatabase;
  /** Role `system`: before the tenant is known. */
  system: SystemDatabase;
  vault: Vault;
  jwt: JwtSigner;
  authenticator: Authenticator;
  /** OAuth applications, as their clients present themselves. */
  applications: KnownApplications;
  /** Tells every API process of what it must no longer take from its memory. */
  broadcast: Broadcast;
  keyUsage: KeyUsage;
  limiter: RateLimiter;
  blobs: BlobStore;
  temporal: TemporalGateway;
  /** For addresses that callers name: private ones are refused. */
  http: GuardedHttp;
}

const ISSUER = 'business-platform';
/** With the database silent a caller has its 503 within two seconds. */
const DATABASE_ANSWER_MS = 1_500;

/** Builds the services from the configuration. Parts connect when they are first used; only the broadcast listens at once. */
export async function createServices(
  config: Config,
  log: Logger,
  clock: Clock = systemClock,
  databaseAnswerMs = DATABASE_ANSWER_MS,
): Promise<Services> {
  const database = {
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'api',
    answerTimeoutMs: databaseAnswerMs,
    entities,
    log,
  };
  const tenants = new TenantDatabase({ ...database, url: config.DATABASE_APP_URL });
  const system = new SystemDatabase({ ...database, url: config.DATABASE_SYSTEM_URL });
  const jwt = await createJwtSigner(config.JWT_KEYS, ISSUER);
  const listenUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_SYSTEM_URL;
  const broadcast = new Broadcast({ url: listenUrl, applicationName: 'api-broadcast', system, log });
  // Not awaited: the API starts, and answers /health, without a database too.
  void broadcast.start();
  const keyUsage = new KeyUsage({ system, log });
  return {
    config,
    publicUrl: publicUrlOf(config),
    log,
    clock,
    tenants,
    system,
    vault: createVault(config.MASTER_KEY),
    jwt,
    authenticator: createAuthenticator({
      system,
      jwt,
      clock,
      broadcast,
      usage: keyUsage,
      oauth: createTokenCheck({ system, jwt, clock, broadcast }),
    }),
    applications: createKnownApplications(system, broadcast),
    broadcast,
    keyUsage,
    limiter: config.RATE_LIMIT_DISABLED
      ? createUnlimited()
      : createRateLimiter({ store: createPostgresLeaseStore(system), log }),
    blobs: createBlobStore(config),
    http: new GuardedHttp({ allowPrivateTargets: config.ALLOW_PRIVATE_TARGETS }),
    temporal: new TemporalGateway({
      address: config.TEMPORAL_ADDRESS,
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueuePrefix: config.TEMPORAL_TASK_QUEUE_PREFIX,
    }),
  };
}

/** Lets go of every connection; called when the last request is answered. */
export async function closeServices(services: Services): Promise<void> {
  // First: they give back or write what they hold through the database.
  await Promise.all([services.limiter.close(), services.keyUsage.close(), services.broadcast.close()]);
  await Promise.all([
    services.tenants.close(),
    services.system.close(),
    services.temporal.close(),
    services.http.close(),
  ]);
}
