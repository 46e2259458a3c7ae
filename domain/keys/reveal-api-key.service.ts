import { auditTrail } from '../audit/index.ts';
import type { ApiKeyAuditEntry, REVEAL_OUTCOMES } from '../contracts/api-keys.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { ApiError } from '../contracts/errors.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { API_KEY_VAULT_CONTEXT } from './api-key.view.ts';
import type { ApiKeyRow } from './api-key.view.ts';
import { auditKey, findApiKey } from './api-keys.service.ts';
import { refusalToHold } from './own-key.ts';

const REVEAL = 'api_key.reveal';

/** Whether the account's password was given: undefined when it was, else why the call is refused. */
export type PasswordCheck = () => Promise<RevealRefusal | undefined>;

/** Why a reveal is refused, for the caller and for the audit trail. */
export interface RevealRefusal {
  outcome: Exclude<(typeof REVEAL_OUTCOMES)[number], 'revealed'>;
  refusal: ApiError;
}

/**
 * The plain key, for its user and once the password was checked. Every try is in the audit trail before it is answered, refused ones
 * too (decisions §2, §3).
 */
export async function revealApiKey(
  { tenants, vault }: { tenants: TenantDatabase; vault: Vault },
  caller: Caller,
  id: number,
  checkPassword: PasswordCheck,
): Promise<string> {
  const seen = await tenants.transaction(caller.clientId, (tx) => findApiKey(tx, caller, id, { lock: false }));
  const refused = notItsUser(caller, seen) ?? (await checkPassword());
  const row = await tenants.transaction(caller.clientId, async (tx) => {
    auditKey(tx, caller, id, REVEAL, { outcome: refused?.outcome ?? 'revealed' });
    return refused === undefined ? findApiKey(tx, caller, id, { lock: false }) : seen;
  });
  if (refused !== undefined) throw refused.refusal;
  return vault.open(row.key_ciphertext, API_KEY_VAULT_CONTEXT);
}

function notItsUser(caller: Caller, key: ApiKeyRow): RevealRefusal | undefined {
  const refusal = refusalToHold(caller, key, 'reveal');
  return refusal === undefined ? undefined : { outcome: 'not_its_user', refusal };
}

/** What was done with a key and by whom, newest first; 404 for a key that the caller may not see. */
export async function apiKeyAudit(
  tx: TenantTransaction,
  caller: Caller,
  id: number,
  window: { limit: number; offset: number },
): Promise<{ entries: ApiKeyAuditEntry[]; pagination: Page }> {
  await findApiKey(tx, caller, id, { lock: false });
  const { entries, pagination } = await auditTrail(tx, { type: 'api_key', id: String(id) }, window);
  const views = entries.map((entry) => {
    const { outcome = 'done', ...details } = entry.details ?? {};
    return {
      id: entry.id,
      at: isoMoment(entry.at),
      action: entry.action,
      outcome: outcome as ApiKeyAuditEntry['outcome'],
      actor: { type: entry.actor_type, id: entry.actor_id, name: entry.actor_name },
      address: entry.address,
      details,
    };
  });
  return { entries: views, pagination };
}
