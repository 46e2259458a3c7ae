import { isoMoment } from '../contracts/common.ts';
import type { InboundWebhookData } from '../contracts/inbound-webhooks.ts';

/** Columns of `inbound_webhooks` (alias w) that make an {@link InboundWebhookData}. */
export const COLUMNS = `w.id, w.name, w.description, w.webhook_type, w.auth_method, w.is_active,
  coalesce((select sum(n.receive_count) from inbound_webhook_counts n where n.webhook_id = w.id), 0)::bigint as receive_count,
  (select max(n.last_received_at) from inbound_webhook_counts n where n.webhook_id = w.id) as last_received_at,
  w.previous_key_expires_at, w.created_by, w.created_at, w.updated_at`;

type Moments = 'last_received_at' | 'previous_key_expires_at' | 'created_at' | 'updated_at';

export type InboundWebhookRow = Omit<InboundWebhookData, Moments | 'receive_path'> & {
  last_received_at: Date | null;
  previous_key_expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

/** The row on the wire. */
export function viewOf(row: InboundWebhookRow): InboundWebhookData {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    webhook_type: row.webhook_type,
    auth_method: row.auth_method,
    is_active: row.is_active,
    receive_count: row.receive_count,
    last_received_at: isoMoment(row.last_received_at),
    receive_path: `/api/v1/webhooks/inbound/${row.id}`,
    previous_key_expires_at: isoMoment(row.previous_key_expires_at),
    created_by: row.created_by,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
