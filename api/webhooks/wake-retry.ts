import type { DeliveryView } from '../../domain/contracts/deliveries.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { deliveryWorkflowId, RETRY_NOW } from '../../domain/contracts/workflows.ts';
import { isTemporalUnavailable } from '../../platform/temporal.ts';
import type { Services } from '../services.ts';

/** Has the workflow of a delivery that is being retried make its next attempt at once. */
export async function wakeRetry({ temporal }: Services, { id, round }: DeliveryView): Promise<void> {
  if (await signal(temporal, deliveryWorkflowId(id, round))) return;
  // Its start is on its way from the outbox, or it has ended a moment ago.
  throw new ApiError('CONFLICT', `The delivery ${String(id)} is changing hands just now; ask again in a moment.`, {
    retryAfterSeconds: 1,
  });
}

async function signal(temporal: Services['temporal'], workflowId: string): Promise<boolean> {
  try {
    return await temporal.signal(workflowId, RETRY_NOW);
  } catch (error) {
    if (!isTemporalUnavailable(error)) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The retry cannot be brought forward just now; it is made at its time all the same.',
      { retryAfterSeconds: 5, cause: error },
    );
  }
}
