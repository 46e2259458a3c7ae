import { isoMoment } from '../contracts/common.ts';
import type { DeliveryView } from '../contracts/deliveries.ts';
import { attemptNumber } from './delivery.rules.ts';

/** Columns of `deliveries d` that make a {@link DeliveryView}. */
export const DELIVERY_COLUMNS = `d.id, d.event_type, d.work_item_id, d.response_status, d.status, d.error_message,
  d.duration_ms, d.sends, d.round, d.created_at, d.delivered_at, d.event_id, d.next_attempt_at, d.dlq_at, d.dlq_reason,
  d.is_test`;

type Moments = 'created_at' | 'delivered_at' | 'next_attempt_at' | 'dlq_at';

export type DeliveryRow = Omit<DeliveryView, Moments | 'attempt_number'> & {
  created_at: Date;
  delivered_at: Date | null;
  next_attempt_at: Date | null;
  dlq_at: Date | null;
};

export function deliveryView(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    event_type: row.event_type,
    work_item_id: row.work_item_id,
    response_status: row.response_status,
    status: row.status,
    error_message: row.error_message,
    duration_ms: row.duration_ms,
    attempt_number: attemptNumber(row.sends),
    created_at: isoMoment(row.created_at),
    delivered_at: isoMoment(row.delivered_at),
    event_id: row.event_id,
    round: row.round,
    sends: row.sends,
    next_attempt_at: isoMoment(row.next_attempt_at),
    dlq_at: isoMoment(row.dlq_at),
    dlq_reason: row.dlq_reason,
    is_test: row.is_test,
  };
}
