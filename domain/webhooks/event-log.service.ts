import { canViewAllUsers } from '../contracts/caller.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment, MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { EventDeliveryView, EventDetail, EventView, ListEventsInput } from '../contracts/event-log.ts';
import { idOfWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { periodOf } from './delivery-log.service.ts';

const MAX_DELIVERIES = 200;

const COLUMNS = 'e.event_id, e.name, e.work_item_id, e.occurred_at, e.dispatched_at, e.published_by, e.is_addressed';

/** By which index the log is read; each has a statement of its own, as no one plan is right for all. */
type Way = 'all' | 'byName' | 'byItem';

const FILTER: Readonly<Record<Way, string>> = {
  all: '$2::text is null and $3::bigint is null',
  byName: 'e.name = $2 and $3::bigint is null',
  byItem: 'e.work_item_id = $3 and ($2::text is null or e.name = $2)',
};

function queriesOf(way: Way): { list: Statement; count: Statement } {
  const matching = `
    select e.id, e.occurred_at from events e
    where e.client_id = $1 and ${FILTER[way]}
      and e.occurred_at >= $4::timestamptz and e.occurred_at < $5::timestamptz`;
  const dispatched = `${matching} and e.dispatched_at is not null`;
  // What is not dispatched yet lies in an index of few, by id, which is the order of what happened.
  const waiting = `${matching} and e.dispatched_at is null`;
  return {
    // The rows are fetched for those on the page alone: what an offset skips is read from the index.
    list: statement(`
      select ${COLUMNS} from (
        select id, occurred_at from (
          (${dispatched} order by e.occurred_at desc, e.id desc limit ($6::bigint + $7::bigint))
          union all (${waiting} order by e.id desc limit ($6::bigint + $7::bigint))) e
        order by occurred_at desc, id desc limit $6 offset $7) page
      join events e on e.id = page.id
      where e.client_id = $1 order by page.occurred_at desc, page.id desc`),
    count: statement(
      `select count(*) as total from (
        select 1 from (${dispatched} union all ${waiting}) e limit ${String(MAX_COUNTED + 1)}) counted`,
    ),
  };
}

const QUERIES = { all: queriesOf('all'), byName: queriesOf('byName'), byItem: queriesOf('byItem') };
const GET = statement(`select ${COLUMNS}, e.data from events e where e.client_id = $1 and e.event_id = $2`);
const DELIVERIES = statement(`
  select id as delivery_id, webhook_id, status, response_status, is_test, created_at, delivered_at from deliveries
  where client_id = $1 and event_id = $2 order by webhook_id nulls last, id limit ${String(MAX_DELIVERIES)}`);

interface EventRow extends Record<string, unknown> {
  event_id: string;
  name: string;
  work_item_id: number | null;
  occurred_at: Date;
  dispatched_at: Date | null;
  published_by: string | null;
  is_addressed: boolean;
}

interface DetailRow extends EventRow {
  data: Record<string, unknown>;
}

type DeliveryRow = Omit<EventDeliveryView, 'created_at' | 'delivered_at'> & {
  created_at: Date;
  delivered_at: Date | null;
};

/** The event log, newest first. */
export async function listEvents(
  tx: TenantTransaction,
  caller: Caller,
  input: ListEventsInput,
): Promise<{ events: EventView[]; pagination: Page }> {
  checkReader(caller);
  const { event, work_item_id: ref, from, to, limit, offset } = input;
  // The events of a deleted work item are still there to be read; of one that never was there are none.
  const item = ref === undefined ? null : ((await idOfWorkItem(tx, ref)) ?? 0);
  const filter = [tx.clientId, event ?? null, item, ...periodOf(from, to)];
  const queries = QUERIES[item === null ? (event === undefined ? 'all' : 'byName') : 'byItem'];
  const [rows, [count]] = await Promise.all([
    tx.query<EventRow>(queries.list, [...filter, limit, offset]),
    tx.query<{ total: number }>(queries.count, filter),
  ]);
  return { events: rows.map(viewOf), pagination: pageOf(count?.total ?? 0, input) };
}

/** One event, with its data and its deliveries. */
export async function getEvent(tx: TenantTransaction, caller: Caller, eventId: string): Promise<EventDetail> {
  checkReader(caller);
  const key = [tx.clientId, eventId];
  const [[row], deliveries] = await Promise.all([
    tx.query<DetailRow>(GET, key),
    tx.query<DeliveryRow>(DELIVERIES, key),
  ]);
  if (row === undefined) throw ApiError.notFound('event', eventId);
  return {
    ...viewOf(row),
    data: row.data,
    deliveries: deliveries.map(({ created_at, delivered_at, ...delivery }) => ({
      ...delivery,
      created_at: isoMoment(created_at),
      delivered_at: isoMoment(delivered_at),
    })),
  };
}

/** Events speak of everything that happens, messages between people included, as the webhooks of owners and admins do. */
function checkReader(caller: Caller): void {
  if (!canViewAllUsers(caller)) throw new ApiError('FORBIDDEN', 'Events are read by owners and admins.');
}

function viewOf(row: EventRow): EventView {
  return {
    event_id: row.event_id,
    event: row.name,
    work_item_id: row.work_item_id,
    occurred_at: isoMoment(row.occurred_at),
    dispatched_at: isoMoment(row.dispatched_at),
    published_by: row.published_by,
    is_addressed: row.is_addressed,
  };
}
