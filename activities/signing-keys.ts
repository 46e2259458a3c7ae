import type { RotateSigningKeyInput } from '../domain/contracts/workflows.ts';
import { endKeysBefore, keyRotated } from '../domain/webhooks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

export type SigningKeyActivities = ReturnType<typeof createSigningKeyActivities>;

/** The steps of `rotateSigningKey`. Both may be repeated, and run beside the maintenance job. */
export function createSigningKeyActivities({ system, clock }: { system: SystemDatabase; clock: Clock }) {
  return {
    /** Has the owner mailed; once for each key version. */
    async announceRotation(input: RotateSigningKeyInput): Promise<void> {
      const { client_id: clientId, webhook_id: webhookId, key_version: keyVersion } = input;
      const facts = { gracePeriodHours: input.grace_period_hours, oldKeyEndsAt: new Date(input.old_key_ends_at) };
      await system.transaction((tx) => keyRotated(tx, { clientId, webhookId, keyVersion, ...facts }));
    },

    /** Deactivates the keys before this one whose time is over; answers the milliseconds that the last one has left. */
    endOldKeys({ client_id, webhook_id, key_version }: RotateSigningKeyInput): Promise<number> {
      const before = { clientId: client_id, webhookId: webhook_id, keyVersion: key_version };
      return endKeysBefore(system, before, clock.now());
    },
  };
}
