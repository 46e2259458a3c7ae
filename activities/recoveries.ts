import type { RecoverWebhookInput } from '../domain/contracts/workflows.ts';
import { runRecoveryBatch } from '../domain/webhooks/index.ts';
import type { RecoveryProgress } from '../domain/webhooks/index.ts';
import type { Vault } from '../platform/crypto.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

export type RecoveryActivities = ReturnType<typeof createRecoveryActivities>;

/** The step of `recoverWebhook`. */
export function createRecoveryActivities({ system, vault }: { system: SystemDatabase; vault: Vault }) {
  return {
    /** Does the next batch, and notes how far it came, in one transaction. */
    recoverBatch(input: RecoverWebhookInput): Promise<RecoveryProgress> {
      return runRecoveryBatch(system, vault, input);
    },
  };
}
