import type { Caller } from '../contracts/caller.ts';
import type { InboundType } from '../contracts/inbound-webhooks.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/** The call that an effect stems from. */
export interface EffectContext {
  tx: TenantTransaction;
  /** The platform, acting for the client. */
  caller: Caller;
  now: number;
  receipt: { id: string; webhookId: string; type: InboundType; receivedAt: Date };
  webhook: { name: string; createdBy: number };
  /** What Document AI has read of the file that came with the call. */
  extraction: ExtractedFile | null;
}

/** The outcome of a Document AI request. */
export interface ExtractedFile {
  requestId: string;
  fields: Readonly<Record<string, { value: unknown } | undefined>>;
  lineItems: readonly Readonly<Record<string, { value: unknown } | undefined>>[];
}

/** What a call leads to, before it is done. */
export interface Effect {
  /** Names the matter as its sender does: told again, it is not acted upon again. Null where each call is its own. */
  key: string | null;
  /** Does it, in the transaction that notes it; answers what the receipt shows. */
  readonly apply: () => Promise<Record<string, unknown>>;
}
