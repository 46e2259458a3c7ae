import { MAX_COUNTED } from '../contracts/common.ts';
import type { DeliveryStatus } from '../contracts/deliveries.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { DELIVERY_COLUMNS } from './delivery-log.view.ts';

/** Errors are searched among this many of the newest deliveries that did not succeed: a bounded piece of work. */
const MAX_SEARCHED = 2_000;
const COUNTED = String(MAX_COUNTED + 1);

type Sent = Exclude<DeliveryStatus, 'pending'>;
const UNSUCCESSFUL: readonly Sent[] = ['retrying', 'failed', 'expired'];
const SENT: readonly Sent[] = ['success', ...UNSUCCESSFUL];

/** How many go before a page and are on it; the parameters of the filter come first. */
const PAGE = 'limit $6 offset $7';
const UP_TO_PAGE = 'limit ($6::bigint + $7::bigint)';
const IN_TIME = `d.created_at >= $4::timestamptz and d.created_at < $5::timestamptz`;
const NEWEST = 'order by created_at desc, id desc';

interface Selection {
  status: DeliveryStatus | 'any';
  byEvent: boolean;
}

/** The statements of a list. Parameters: client, webhook, event, from, to; then those of the page or of the search. */
export interface ListQueries {
  list: Statement;
  count: Statement;
  /** List and total in one, as both look at the same few; the total stands in a row of its own when nothing is on the page. */
  search: Statement;
}

export const LIST_QUERIES = new Map(
  [...SENT, 'pending' as const, 'any' as const].flatMap((status) =>
    [false, true].map((byEvent) => [keyOf({ status, byEvent }), queriesOf({ status, byEvent })] as const),
  ),
);

export function keyOf({ status, byEvent }: Selection): string {
  return byEvent ? `${status} by event` : status;
}

// One index holds what was sent status by status, another the same by event: each status is walked newest first, as
// far as the page may reach (behind row-level security the planner doesn't merge the walks by itself). Statuses stand in
// the text, as only so a plan can use these indexes, which leave out what is pending.
function sentOf(statuses: readonly Sent[], byEvent: boolean, part: string): string {
  return statuses
    .map(
      (status) => `
    (select d.id, d.created_at from deliveries d
    where d.client_id = $1 and d.webhook_id = $2 and d.status = '${status}' and ${filterOf(byEvent)}
    ${part})`,
    )
    .join(' union all ');
}

// What waits lies in the indexes of its two lanes, by id, which is the order of creation.
function pendingOf(byEvent: boolean, part: string): string {
  return ['', '/ordered']
    .map(
      (kind) => `
    (select d.id, d.created_at from deliveries d
    where d.client_id = $1 and d.webhook_id = $2 and d.status = 'pending' and d.lane = 'webhook/' || $2::int || '${kind}'
      and ${filterOf(byEvent)} ${part})`,
    )
    .join(' union all ');
}

/** An event that is not asked for is named all the same: each statement takes the same parameters. */
function filterOf(byEvent: boolean): string {
  return `${byEvent ? 'd.event_type = $3' : '$3::text is null'} and ${IN_TIME}`;
}

function queriesOf({ status, byEvent }: Selection): ListQueries {
  const kind = status === 'pending' || status === 'any' ? status : 'sent';
  const pending = pendingOf(byEvent, `order by d.id desc ${UP_TO_PAGE}`);
  const statuses = status === 'any' ? SENT : status === 'pending' ? [] : [status];
  const sent = sentOf(statuses, byEvent, `${NEWEST} ${UP_TO_PAGE}`);
  // Counted from the oldest on: of those the index knows by itself that all see them.
  const counted = sentOf(statuses, byEvent, `limit ${COUNTED}`);
  const waiting = pendingOf(byEvent, `limit ${COUNTED}`);
  const page = {
    pending: `select id, created_at from (${pending}) d order by id desc ${PAGE}`,
    any: `select id, created_at from (${sent} union all ${pending}) d ${NEWEST} ${PAGE}`,
    sent: `select id, created_at from (${sent}) d ${NEWEST} ${PAGE}`,
  }[kind];
  const all = { pending: waiting, any: `${counted} union all ${waiting}`, sent: counted }[kind];
  return {
    // The rows are fetched for those on the page alone: what an offset skips is read from the index.
    list: statement(`
      select ${DELIVERY_COLUMNS} from (${page}) page join deliveries d on d.id = page.id
      where d.client_id = $1 order by page.created_at desc, page.id desc`),
    count: statement(`select count(*) as total from (select 1 from (${all}) d limit ${COUNTED}) as counted`),
    search: searchOf({ status, byEvent }),
  };
}

function searchOf({ status, byEvent }: Selection): Statement {
  const statuses = status === 'any' ? UNSUCCESSFUL : UNSUCCESSFUL.filter((one) => one === status);
  const searched = `${NEWEST} limit ${String(MAX_SEARCHED)}`;
  const inErrors = `
    select newest.id, newest.created_at from (
      select * from (${sentOf(statuses, byEvent, searched)}) d ${searched}) newest
    join deliveries d on d.id = newest.id
    where d.client_id = $1 and d.error_message ilike $8
    union`;
  const condition = [
    'd.client_id = $1 and d.webhook_id = $2',
    `($3::text is null or d.event_type = $3) and ${IN_TIME}`,
    ...(status === 'any' ? [] : [`d.status || '' = '${status}'`]),
  ].join(' and ');
  return statement(`
    with found as materialized (
      ${statuses.length === 0 ? '' : inErrors}
      select d.id, d.created_at from deliveries d where $8::text is not null and d.event_id = $9 and ${condition}
      union select d.id, d.created_at from deliveries d where d.id = $10 and ${condition}),
    page as (select * from found ${NEWEST} ${PAGE})
    select ${DELIVERY_COLUMNS}, (select count(*) from found) as total
    from (select) one left join (page join deliveries d on d.id = page.id and d.client_id = $1) on true
    order by page.created_at desc, page.id desc`);
}
