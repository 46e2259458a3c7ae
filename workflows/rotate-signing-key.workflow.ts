import { defineQuery, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type { SigningKeyActivities } from '../activities/signing-keys.ts';
import type { RotateSigningKeyInput } from '../domain/contracts/workflows.ts';

/** Where a rotation stands. */
export const rotationStateQuery = defineQuery<RotationState>('state');

export interface RotationState {
  /** `grace`: the old key still signs beside the new one. */
  phase: 'grace' | 'ended';
  /** Whether the owner's mail is on its way. */
  announced: boolean;
  /** ISO 8601 */
  old_key_ends_at: string;
}

/** Tried until they succeed: keys whose time is over sign nothing meanwhile, and the mail is sent once. */
const { announceRotation, endOldKeys } = proxyActivities<SigningKeyActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** A rotation after its commit: the owner is told, and when the grace period is over the old key is deactivated. */
export async function rotateSigningKey(input: RotateSigningKeyInput): Promise<RotationState> {
  const { old_key_ends_at } = input;
  const state: RotationState = { phase: 'grace', announced: false, old_key_ends_at };
  setHandler(rotationStateQuery, () => state);
  await Promise.all([announce(input, state), endAfterGrace(input, state)]);
  return state;
}

async function announce(input: RotateSigningKeyInput, state: RotationState): Promise<void> {
  await announceRotation(input);
  state.announced = true;
}

/** The row says when the key ends, not our timer: clocks differ, and a later rotation may have ended it sooner. */
async function endAfterGrace(input: RotateSigningKeyInput, state: RotationState): Promise<void> {
  let leftMs = Math.max(0, Date.parse(input.old_key_ends_at) - Date.now());
  do {
    await sleep(leftMs);
    leftMs = await endOldKeys(input);
  } while (leftMs > 0);
  state.phase = 'ended';
}
