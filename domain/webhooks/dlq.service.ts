import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { DeliveryView, ListDeadLettersInput } from '../contracts/deliveries.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { scopedStatement } from './delivery-scope.ts';
import type { DeliverySource } from './delivery-scope.ts';
import { periodOf } from './delivery-log.service.ts';
import { DELIVERY_COLUMNS, deliveryView } from './delivery-log.view.ts';
import type { DeliveryRow } from './delivery-log.view.ts';

const ORDER = { newest: 'dlq_at desc, id desc', oldest: 'dlq_at, id' };

/** The statements of a list; those of one event have an index of their own. */
function queriesOf(byEvent: boolean): Record<keyof typeof ORDER | 'count', (source: DeliverySource) => Statement> {
  const matching = (isInScope: string): string => `
    from deliveries
    where client_id = $1 and ${isInScope} and status = 'failed'
      and ${byEvent ? 'event_type = $3' : '$3::text is null'}
      and dlq_at >= $4::timestamptz and dlq_at < $5::timestamptz`;
  // The rows are fetched for those on the page alone: what an offset skips is read from the index.
  const list = (order: keyof typeof ORDER): ((source: DeliverySource) => Statement) =>
    scopedStatement(
      (isInScope) => `
      select ${DELIVERY_COLUMNS}
      from (select id, dlq_at ${matching(isInScope)} order by ${ORDER[order]} limit $6 offset $7) page
      join deliveries d on d.id = page.id
      where d.client_id = $1 order by ${ORDER[order].replaceAll(/dlq_at|id/g, 'page.$&')}`,
    );
  return {
    newest: list('newest'),
    oldest: list('oldest'),
    count: scopedStatement(
      (isInScope) =>
        `select count(*) as total from (select 1 ${matching(isInScope)} limit ${String(MAX_COUNTED + 1)}) as counted`,
    ),
  };
}

const ALL = queriesOf(false);
const BY_EVENT = queriesOf(true);

/**
 * The dead letters of a webhook, which the caller must have been shown (`getWebhook`), or of the client's callbacks.
 */
export async function listDeadLetters(
  tx: TenantTransaction,
  source: DeliverySource,
  { event, from, to, order, limit, offset }: ListDeadLettersInput,
): Promise<{ deliveries: DeliveryView[]; pagination: Page }> {
  const filter = [tx.clientId, source.webhookId, event ?? null, ...periodOf(from, to)];
  const queries = event === undefined ? ALL : BY_EVENT;
  const [rows, [counted]] = await Promise.all([
    tx.query<DeliveryRow>(queries[order](source), [...filter, limit, offset]),
    tx.query<{ total: number }>(queries.count(source), filter),
  ]);
  return { deliveries: rows.map(deliveryView), pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}
