import pg from 'pg';

export interface SeededWebhooks {
  clientId: number;
  /** Every event of the large client goes here: a tenth of all deliveries. */
  busyId: number;
  /** Every second one goes here; half of them came to nothing. */
  failingId: number;
}

export interface DeliverySizes {
  large: SeededWebhooks;
  /** The others share what is left. */
  others: readonly { clientId: number; webhookIds: readonly [number, number] }[];
  /** Events; a quarter more deliveries than that are made of them. */
  events: number;
}

/** So rare that 1 event in 10,000 of the large client has it. */
export const RARE_EVENT = 'payment.refunded';
/** 1 in 100. */
export const UNCOMMON_EVENT = 'invoice.paid';
export const COMMON_EVENT = 'job.updated';
/** Subscribed to, but it never happened. */
export const ABSENT_EVENT = 'vision.model.failed';
/** Days over which everything is spread evenly. */
const DAYS = 33;

/**
 * Fills the database as its owner with events and their deliveries, in the order in which they would have come: rows of
 * one webhook lie scattered among those of all others, as they do in life. Indexes are made after the rows.
 */
export async function seedDeliveries(ownerUrl: string, { large, others, events }: DeliverySizes): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`set maintenance_work_mem = '512MB'; set work_mem = '64MB'; set synchronous_commit = off`);
    const rebuild = [...(await dropIndexes(owner, 'events')), ...(await dropIndexes(owner, 'deliveries'))];
    await owner.query(INSERT_EVENTS, [events, large.clientId, others.map(({ clientId }) => clientId), DAYS]);
    await owner.query(
      'create temporary table receivers (client_id int, webhook_id int, is_first boolean, is_failing boolean)',
    );
    await owner.query(
      `insert into receivers select * from unnest($1::int[], $2::int[], $3::boolean[], $4::boolean[])`,
      receivers(large, others),
    );
    await owner.query(INSERT_DELIVERIES);
    await owner.query(INSERT_ATTEMPTS);
    for (const sql of rebuild) await owner.query(sql);
    // Pages that are known to be visible to all let an index answer alone; autovacuum would do this within a minute.
    for (const table of ['events', 'deliveries', 'delivery_attempts']) await owner.query(`vacuum (analyze) ${table}`);
  } finally {
    await owner.end();
  }
}

function receivers(large: SeededWebhooks, others: DeliverySizes['others']): unknown[][] {
  const rows: [number, number, boolean, boolean][] = [
    [large.clientId, large.busyId, true, false],
    [large.clientId, large.failingId, false, true],
    ...others.flatMap(({ clientId, webhookIds: [first, second] }): [number, number, boolean, boolean][] => [
      [clientId, first, true, false],
      [clientId, second, false, false],
    ]),
  ];
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column]));
}

/** Random, but the same in each run. An eighth are the large client's; three in four are of a work item. */
const INSERT_EVENTS = `
  with random as (
    select i, hashint4(i) & 2147483647 as a, hashint4(i + 7919) & 2147483647 as b from generate_series(1, $1::int) i)
  insert into events (client_id, event_id, name, work_item_id, data, occurred_at, dispatched_at, automation_path)
  select case when a % 8 = 0 then $2::int else ($3::int[])[1 + b % array_length($3::int[], 1)] end, gen_random_uuid(), n.name,
    case when n.name like 'job.%' or n.name like 'task.%' then 1 + b % 100000 end,
    json_build_object('id', b % 100000, 'title', 'Replace the pump at site ' || a, 'status', 'in_progress',
      'previous_status', 'open', 'priority', 'medium', 'assigned_to', a % 500, 'updated_at', t.at),
    t.at, t.at + interval '2 milliseconds', '{}'
  from random,
    lateral (select case when b % 10000 = 0 then '${RARE_EVENT}' when b % 100 = 1 then '${UNCOMMON_EVENT}'
      when b % 100 < 25 then 'contact.updated' when b % 100 < 30 then 'job.created' when b % 100 < 40 then 'task.updated'
      else '${COMMON_EVENT}' end as name) n,
    lateral (select now() - ($1 - i) * ($4::int * interval '1 day' / $1) as at) t
  order by i`;
/**
 * One in fifty of a healthy endpoint's fails, half of a failing one's; what failed is retried for a day, then dead, and
 * expired after twenty.
 */
const INSERT_DELIVERIES = `
  insert into deliveries (client_id, webhook_id, event_id, event_type, work_item_id, event_seq, lane, webhook_revision,
    status, sends, response_status, response_body, error_message, duration_ms, next_attempt_at, dlq_at, dlq_reason,
    created_at, delivered_at)
  select e.client_id, r.webhook_id, e.event_id, e.name, e.work_item_id, e.id, 'webhook/' || r.webhook_id, 1, s.status,
    case s.status when 'pending' then 0 when 'success' then 1 when 'retrying' then 2 else 5 end,
    case s.status when 'pending' then null when 'success' then 200 else 503 end,
    case when s.status <> 'pending' then 'ok' end,
    case when s.status not in ('pending', 'success') then
      'The endpoint answered 503' || case when e.id % 1000 = 7 then ': upstream connect error' else '' end end,
    case when s.status <> 'pending' then 3 + e.id % 40 end,
    case when s.status = 'retrying' then now() + interval '1 hour' end,
    case when s.status in ('failed', 'expired') then e.occurred_at + interval '1 day' end,
    case when s.status in ('failed', 'expired') then '5 sends failed' end,
    e.occurred_at + interval '1 millisecond',
    case when s.status = 'success' then e.occurred_at + interval '30 milliseconds' end
  from events e join receivers r on r.client_id = e.client_id,
    lateral (select hashint8(e.id * 31 + r.webhook_id) & 2147483647 as c, now() - e.occurred_at as age) h,
    lateral (select case when c % 50 > 0 and not r.is_failing or c % 2 = 0 then 'success'
      when age < interval '1 hour' then 'pending' when age < interval '1 day' then 'retrying'
      when age < interval '20 days' then 'failed' else 'expired' end as status) s
  where r.is_first or r.is_failing and h.c % 4 < 2 or not r.is_first and not r.is_failing and h.c % 5 = 0
  order by e.id`;
const INSERT_ATTEMPTS = `
  insert into delivery_attempts (delivery_id, round, send_number, client_id, webhook_revision, at, duration_ms,
    response_status, response_body, error_message)
  select id, 1, n, client_id, 1, created_at + n * interval '1 hour', duration_ms, 503, response_body, error_message
  from deliveries, generate_series(1, 5) n where status in ('retrying', 'failed', 'expired') and n <= sends`;

/** Drops every index of a table, and the constraints that need one; answers the statements that make them again. */
async function dropIndexes(owner: pg.Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ drop: string; make: string }>(
    `select case when c.oid is null then 'drop index ' || i.indexrelid::regclass
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       case when c.oid is null then pg_get_indexdef(i.indexrelid)
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid where i.indrelid = $1::regclass`,
    [table],
  );
  for (const { drop } of rows) await owner.query(drop);
  return rows.map(({ make }) => make);
}
