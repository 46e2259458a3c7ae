import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../domain/contracts/caller.ts';
import { CreateWebhook } from '../domain/contracts/webhooks.ts';
import { createWebhook, WEBHOOK_SECRET_CONTEXT } from '../domain/webhooks/index.ts';
import type { Vault } from '../platform/crypto.ts';
import type { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';

interface DemoWebhook {
  system: SystemDatabase;
  tenants: TenantDatabase;
  vault: Vault;
  varDir: string;
  caller: Caller;
  receiverUrl: string;
  apiKey: string;
}

const NAME = 'Demo receiver';
const FIND = statement(`
  select w.id, k.secret_ciphertext from webhooks w
  join webhook_keys k on k.webhook_id = w.id and k.key_version = w.current_key_version
  where w.client_id = $1 and w.name = $2 and w.deleted_at is null`);
// The revision tells the relay that what it holds of this client's webhooks is old.
const MOVE = statement(`
  update webhooks set endpoint_url = $3, updated_at = now(),
    revision = (select max(revision) + 1 from webhooks where client_id = $1)
  where client_id = $1 and id = $2 and endpoint_url <> $3`);

/** Points a webhook of the demo tenant at the demo receiver, and tells the receiver the secrets it checks by. */
export async function ensureDemoWebhook(demo: DemoWebhook): Promise<void> {
  const endpoint = new URL('/hook', demo.receiverUrl).toString();
  const secret = (await existingSecret(demo, endpoint)) ?? (await newWebhook(demo, endpoint));
  const file = join(demo.varDir, 'demo-receiver.json');
  await writeFile(file, `${JSON.stringify({ secrets: [secret, demo.apiKey] })}\n`, { mode: 0o600 });
}

async function existingSecret({ system, vault, caller }: DemoWebhook, endpoint: string): Promise<string | undefined> {
  const [kept] = await system.query<{ id: number; secret_ciphertext: Buffer }>(FIND, [caller.clientId, NAME]);
  if (kept === undefined) return undefined;
  await system.query(MOVE, [caller.clientId, kept.id, endpoint]);
  return vault.open(kept.secret_ciphertext, WEBHOOK_SECRET_CONTEXT);
}

async function newWebhook({ tenants, vault, caller }: DemoWebhook, endpoint: string): Promise<string> {
  const events = ['job.created', 'task.created', 'ticket.created', 'project.created', 'milestone.created'];
  const input = CreateWebhook.parse({ name: NAME, endpoint_url: endpoint, events });
  const { secretKey } = await tenants.transaction(caller.clientId, (tx) =>
    createWebhook(tx, caller, input, { vault, allowPrivateTargets: true }),
  );
  return secretKey;
}
