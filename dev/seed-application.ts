import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../domain/contracts/caller.ts';
import { CreateOAuthApplication } from '../domain/contracts/oauth.ts';
import { createApplication } from '../domain/oauth/index.ts';
import type { Vault } from '../platform/crypto.ts';
import type { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';

interface DemoApplication {
  system: SystemDatabase;
  tenants: TenantDatabase;
  vault: Vault;
  varDir: string;
  caller: Caller;
}

const NAME = 'Demo application';
const FIND = statement(`
  select id from oauth_applications where client_id = $1 and name = $2 and deleted_at is null`);

/** An OAuth application of the demo tenant; its credentials are kept beside the demo password. */
export async function ensureDemoApplication(demo: DemoApplication): Promise<void> {
  const { system, tenants, vault, varDir, caller } = demo;
  const existing = await system.query(FIND, [caller.clientId, NAME]);
  if (existing.length > 0) return;
  const input = CreateOAuthApplication.parse({
    name: NAME,
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'profile', 'email', 'vision:extract'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  });
  const { client_id, client_secret } = await tenants.transaction(caller.clientId, (tx) =>
    createApplication(tx, caller, input, vault),
  );
  const file = join(varDir, 'secrets', 'demo-application.json');
  await writeFile(file, `${JSON.stringify({ client_id, client_secret }, null, 2)}\n`, { mode: 0o600 });
}
