import { RPC_ERROR, RpcError } from './rpc.ts';

/** The one revision that has batches; a request that names none counts as one of it (MCP, "Protocol Version Header"). */
const REVISION = '2025-03-26';

/** As many as a batch of the Public Data API. */
export const MAX_MESSAGES = 100;

/** Refuses what is no batch of the revision that has them. */
export function checkBatch(
  messages: readonly unknown[],
  { version = REVISION, idempotencyKey }: { version: string | undefined; idempotencyKey: string | undefined },
): void {
  if (version !== REVISION) {
    throw invalid(
      `batches are of revision ${REVISION}; send one request at a time, or use POST /api/v1/public/data/batch`,
    );
  }
  if (messages.length === 0 || messages.length > MAX_MESSAGES) {
    throw invalid(`a batch has 1 to ${String(MAX_MESSAGES)} messages`);
  }
  // One key names one request: a batch whose calls shared it would do the first and refuse the others.
  if (idempotencyKey !== undefined) throw invalid('an Idempotency-Key goes with one request, not with a batch');
}

function invalid(message: string): RpcError {
  return new RpcError(RPC_ERROR.invalidRequest, message, { status: 400 });
}
