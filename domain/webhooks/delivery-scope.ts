import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';

/** Whose deliveries: a webhook's, or (null) the Document AI callbacks of the client. */
export interface DeliveryScope {
  clientId: number;
  webhookId: number | null;
}

/**
 * A statement about the deliveries of a scope: `build` gets the condition on `webhook_id`, whose parameter is $2. Two
 * statements, so that each finds its rows by an index.
 */
export function scopedStatement(build: (isInScope: string) => string): (webhookId: number | null) => Statement {
  const ofWebhook = statement(build('webhook_id = $2'));
  const ofCallbacks = statement(build('(webhook_id is null and $2::int is null)'));
  return (webhookId) => (webhookId === null ? ofCallbacks : ofWebhook);
}
