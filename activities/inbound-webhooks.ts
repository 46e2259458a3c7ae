import { ApplicationFailure } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import { FINANCE_TYPES_BY_TIER } from '../domain/contracts/event-names.ts';
import { ApiError } from '../domain/contracts/errors.ts';
import type { ExtractAnswer } from '../domain/contracts/vision.ts';
import type { ProcessInboundInput } from '../domain/contracts/workflows.ts';
import { failReceipt, fileOf, processReceipt } from '../domain/inbound-webhooks/index.ts';
import type { ExtractedFile } from '../domain/inbound-webhooks/index.ts';
import { systemCaller } from '../domain/tenancy/index.ts';
import { getVisionRequest, openRequest, openWithSource } from '../domain/vision/index.ts';
import type { VisionRequestRow } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';

interface InboundActivityDeps {
  tenants: TenantDatabase;
  blobs: BlobStore;
  clock: Clock;
}

export type InboundActivities = ReturnType<typeof createInboundActivities>;

/** The steps of `processInboundWebhook`. Each is one transaction that finds what it has done before: run twice, it is done once. */
export function createInboundActivities({ tenants, blobs, clock }: InboundActivityDeps) {
  const visionRow = (clientId: number, requestId: string): Promise<VisionRequestRow> =>
    tenants.transaction(clientId, (tx) => getVisionRequest(tx, clientId, requestId));

  return {
    /** Hands the call's file to Document AI; answers the request's id, or null where there is no file. */
    openFile(input: ProcessInboundInput): Promise<string | null> {
      return refusable(async () => {
        const { client_id, receipt_id } = input;
        const file = await tenants.transaction(client_id, (tx) => fileOf(tx, receipt_id));
        if (file === undefined) return null;
        const requestId = visionRequestId(input);
        const open = async (tx: TenantTransaction, sourceBlob: string): Promise<void> => {
          const caller = await systemCaller(tx, `inbound-webhook/${input.inbound_webhook_id}`);
          const tier = caller.client.finance_tier;
          // Before credits are spent on a bill that can't be made.
          if (!(FINANCE_TYPES_BY_TIER[tier] ?? []).includes('bill')) {
            throw ApiError.tierRestricted(`The finance tier ${tier} does not include bills.`);
          }
          const options = { document_type: 'bill' };
          const request = {
            requestId,
            operation: 'extract' as const,
            options,
            sourceBlob,
            isAsync: true,
            now: clock.now(),
          };
          await openRequest(tx, caller, request);
        };
        const source = {
          clientId: client_id,
          requestId,
          file: () => Promise.resolve(Buffer.from(file, 'base64')),
          open,
        };
        await openWithSource({ tenants, blobs, clock }, source);
        return requestId;
      });
    },

    /** Refused once somebody has deleted the result: nothing will come of it any more. */
    fileState({ client_id }: ProcessInboundInput, requestId: string): Promise<'running' | 'ended'> {
      return refusable(async () => {
        const { status } = await visionRow(client_id, requestId);
        return status === 'completed' || status === 'failed' ? 'ended' : 'running';
      });
    },

    /** Does what the call asks for and marks it as processed. */
    async processCall({ client_id, receipt_id }: ProcessInboundInput, visionRequestId: string | null): Promise<void> {
      await refusable(async () => {
        const extraction = visionRequestId === null ? null : extractionOf(await visionRow(client_id, visionRequestId));
        await tenants.transaction(client_id, (tx) => processReceipt(tx, receipt_id, { now: clock.now(), extraction }));
      });
    },

    async failCall({ client_id, receipt_id }: ProcessInboundInput, reason: string): Promise<void> {
      await tenants.transaction(client_id, (tx) => {
        failReceipt(tx, receipt_id, reason);
        return Promise.resolve();
      });
    },
  };
}

/** The same for the same round of a call, always, and so opened once. A UUID of version 8 (RFC 9562 §5.8). */
function visionRequestId({ receipt_id, round }: ProcessInboundInput): string {
  const hex = createHash('sha256')
    .update(`inbound/${receipt_id}/${String(round)}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function extractionOf(row: VisionRequestRow): ExtractedFile {
  if (row.status === 'failed') {
    throw ApiError.unprocessable(`Document AI: ${row.error_message ?? 'the file could not be read'}`);
  }
  const { fields = {}, line_items = [] } = (row.result ?? {}) as Pick<ExtractAnswer, 'fields' | 'line_items'>;
  return { requestId: row.request_id, fields, lineItems: line_items };
}

/** What the rules refuse they refuse again: it ends the call instead of being tried for good. */
async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.code);
  }
}
