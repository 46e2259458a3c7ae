import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** Prints a .env with fresh secrets for docker-compose.yml: node docker/make-env.mjs > .env */
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const kid = randomBytes(9).toString('base64url');
const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
// base64url: nothing in it needs escaping in an address.
const password = () => randomBytes(24).toString('base64url');

const values = {
  POSTGRES_PASSWORD: password(),
  APP_PASSWORD: password(),
  SYSTEM_PASSWORD: password(),
  TEMPORAL_DB_PASSWORD: password(),
  S3_ACCESS_KEY_ID: randomBytes(10).toString('hex').toUpperCase(),
  S3_SECRET_ACCESS_KEY: password(),
  MASTER_KEY: randomBytes(32).toString('base64'),
  JWT_KEYS: `'${JSON.stringify({ keys: [jwk] })}'`,
  CRON_SECRET: password(),
};
for (const [name, value] of Object.entries(values)) process.stdout.write(`${name}=${value}\n`);
