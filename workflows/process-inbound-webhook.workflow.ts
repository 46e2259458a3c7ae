import {
  ActivityFailure,
  ApplicationFailure,
  defineQuery,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { InboundActivities } from '../activities/inbound-webhooks.ts';
import type { ProcessInboundInput } from '../domain/contracts/workflows.ts';

/** Where a call is, and the Document AI request that it waits for, if any. */
export const inboundStateQuery = defineQuery<InboundState>('state');

export interface InboundState {
  step: 'opening' | 'reading_file' | 'processing' | 'processed' | 'failed';
  vision_request_id: string | null;
  error: string | null;
}

/** What the rules refuse (an unknown invoice, a tier without bills) ends the call; a lack of ours is tried again. */
const { openFile, fileState, processCall, failCall } = proxyActivities<InboundActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const FIRST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 30_000;

/** Does what one call to an inbound webhook asks for, by its type, and leaves its receipt processed or failed. */
export async function processInboundWebhook(input: ProcessInboundInput): Promise<{ status: 'processed' | 'failed' }> {
  const state: InboundState = { step: 'opening', vision_request_id: null, error: null };
  setHandler(inboundStateQuery, () => state);
  try {
    if (input.webhook_type === 'supplier_invoice') state.vision_request_id = await openFile(input);
    if (state.vision_request_id !== null) {
      state.step = 'reading_file';
      await fileIsRead(input, state.vision_request_id);
    }
    state.step = 'processing';
    await processCall(input, state.vision_request_id);
    state.step = 'processed';
    return { status: 'processed' };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    state.error = reason;
    await failCall(input, reason);
    state.step = 'failed';
    return { status: 'failed' };
  }
}

/** Document AI is a workflow of its own, on its own queue; its row says when it has ended. */
async function fileIsRead(input: ProcessInboundInput, requestId: string): Promise<void> {
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, LONGEST_LOOK_MS)) {
    await sleep(wait);
    if ((await fileState(input, requestId)) === 'ended') return;
  }
}

/** A refusal in words; undefined for what is none (the workflow was cancelled or is broken). */
function reasonOf(error: unknown): string | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true ? cause.message : undefined;
}
