import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';

/** A webhook's deliveries, or (null) the Document AI callbacks of the client: the sandbox's, or all others. */
export interface DeliverySource {
  webhookId: number | null;
  isSandbox?: boolean;
}

/** Whose deliveries. */
export interface DeliveryScope extends DeliverySource {
  clientId: number;
}

/**
 * A statement about the deliveries of a scope: `build` gets the condition on `webhook_id`, whose parameter is $2. One for
 * each kind of source, so that each finds its rows by an index.
 */
export function scopedStatement(build: (isInScope: string) => string): (source: DeliverySource) => Statement {
  const ofWebhook = statement(build('webhook_id = $2'));
  const callbacks = (isSandbox: boolean): Statement =>
    statement(
      build(
        `(webhook_id is null and $2::int is null and coalesce(target ? 'is_sandbox', false) = ${String(isSandbox)})`,
      ),
    );
  const [ofSandbox, ofProduction] = [callbacks(true), callbacks(false)];
  return ({ webhookId, isSandbox = false }) => {
    if (webhookId !== null) return ofWebhook;
    return isSandbox ? ofSandbox : ofProduction;
  };
}
