import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import type { DeliveryView, ListDeadLettersInput, ReplayDeadLettersInput } from '../contracts/deliveries.ts';
import type { CallbackView, ReplayedCallbacks } from '../contracts/vision-callbacks.ts';
import { listDeadLetters, replayCallback, replayCallbacks } from '../webhooks/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const ABOUT = statement(`
  select d.id, coalesce(d.target ->> 'url', '') as url, e.data ->> 'request_id' as request_id
  from deliveries d left join events e on e.event_id = d.event_id and e.client_id = d.client_id
  where d.client_id = $1 and d.id = any($2::bigint[])`);

interface About extends Record<string, unknown> {
  id: number;
  url: string;
  request_id: string | null;
}

/** The callbacks of the client whose retries all failed: in the sandbox its own, elsewhere all others. */
export async function listDeadCallbacks(
  tx: TenantTransaction,
  caller: Caller,
  filter: ListDeadLettersInput,
): Promise<{ callbacks: CallbackView[]; pagination: Page }> {
  const { deliveries, pagination } = await listDeadLetters(
    tx,
    { webhookId: null, isSandbox: caller.isSandbox === true },
    filter,
  );
  return { callbacks: await views(tx, deliveries), pagination };
}

/** Sends one of them again. */
export async function replayDeadCallback(tx: TenantTransaction, caller: Caller, id: number): Promise<CallbackView> {
  const [view] = await views(tx, [await replayCallback(tx, caller, id)]);
  if (view === undefined) throw new Error('a callback that was replayed is gone');
  return view;
}

/** Sends many of them again, by ids or by when they failed. */
export async function replayDeadCallbacks(
  tx: TenantTransaction,
  caller: Caller,
  input: ReplayDeadLettersInput,
): Promise<ReplayedCallbacks> {
  const { recovery_id: _none, ...answer } = await replayCallbacks(tx, caller, input);
  return { ...answer, remaining: answer.matched - answer.replayed };
}

async function views(tx: TenantTransaction, deliveries: readonly DeliveryView[]): Promise<CallbackView[]> {
  const rows = await tx.query<About>(ABOUT, [tx.clientId, deliveries.map(({ id }) => id)]);
  const about = new Map(rows.map((row) => [row.id, row]));
  return deliveries.map(({ work_item_id: _item, is_test: _test, ...delivery }) => ({
    ...delivery,
    url: about.get(delivery.id)?.url ?? '',
    request_id: about.get(delivery.id)?.request_id ?? null,
  }));
}
