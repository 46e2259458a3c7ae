import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { AdapterPayload, Configuration } from 'oidc-provider';
import { PEER_CLIENT } from './client.ts';
import { createPayloadTable, postgresAdapter } from './oidc-postgres-adapter.ts';

/**
 * The peer: node-oidc-provider with one confidential client; its access tokens are JWTs signed with ES256, as ours are.
 * `memory` keeps everything in the process and stores access tokens nowhere. `postgres` stores all that it issues before
 * it answers, so that it can be revoked, as ours is: by itself it wouldn't do so for JWTs.
 */
const kind = process.argv[2];
const RESOURCE = 'urn:bench:api';
const SEEDS = 32;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

async function configuration(): Promise<Configuration> {
  const databaseUrl = process.env['PEER_DATABASE_URL'];
  const isStored = kind === 'postgres';
  if (isStored && databaseUrl !== undefined) await createPayloadTable(databaseUrl);
  return {
    ...(isStored && databaseUrl !== undefined ? { adapter: postgresAdapter(databaseUrl) } : {}),
    clients: [
      {
        client_id: PEER_CLIENT.id,
        client_secret: PEER_CLIENT.secret,
        grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: ['https://app.example/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    rotateRefreshToken: true,
    scopes: ['openid', 'offline_access', 'contacts:read'],
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'contacts:read',
          accessTokenTTL: 900,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' as const } },
        }),
      },
    },
    ttl: { RefreshToken: 30 * 86_400, Grant: 30 * 86_400, AccessToken: 900, ClientCredentials: 900 },
  };
}

/** Refresh tokens to begin chains with, as an authorization would have issued them. */
async function seedTokens(provider: Provider): Promise<string[]> {
  const client = await provider.Client.find(PEER_CLIENT.id);
  if (client === undefined) throw new Error('the peer does not know its client');
  const tokens: string[] = [];
  for (let index = 0; index < SEEDS; index += 1) {
    const accountId = `user-${String(index)}`;
    const grant = new provider.Grant({ accountId, clientId: PEER_CLIENT.id });
    grant.addOIDCScope('offline_access');
    grant.addResourceScope(RESOURCE, 'contacts:read');
    const grantId = await grant.save();
    const token = new provider.RefreshToken({
      client,
      accountId,
      grantId,
      gty: 'authorization_code',
      scope: 'offline_access contacts:read',
      resource: RESOURCE,
    });
    tokens.push(await token.save());
  }
  return tokens;
}

/** Commits a row for each access token before its answer leaves. */
function storeAccessTokens(provider: Provider, databaseUrl: string): void {
  const tokens = postgresAdapter(databaseUrl)('AccessToken');
  provider.use(async (context, next) => {
    await next();
    const { access_token: token } = (context.body ?? {}) as { access_token?: string };
    if (token === undefined) return;
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as AdapterPayload;
    await tokens.upsert(String(payload.jti), payload, 900);
  });
}

const server = createServer();
server.listen(0, '127.0.0.1', () => void serve());

async function serve(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const provider = new Provider(`http://127.0.0.1:${String(port)}`, await configuration());
  const databaseUrl = process.env['PEER_DATABASE_URL'];
  if (kind === 'postgres' && databaseUrl !== undefined) storeAccessTokens(provider, databaseUrl);
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  process.send?.({ type: 'ready', port, seeds: await seedTokens(provider) });
}
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
