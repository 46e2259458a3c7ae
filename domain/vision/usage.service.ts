import { Temporal } from 'temporal-polyfill';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { GetUsageInput, UsageData } from '../contracts/vision-credits.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { environmentOf } from './requests.service.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Below it a field has to be looked at, so that the document did not go straight through (decisions §9). */
const SURE = 0.8;
const IS_STRAIGHT = `(min_confidence >= ${String(SURE)} and not has_failed_check and corrected_at is null)::int`;
const PERIOD = `client_id = $1 and created_at >= $2 and created_at < $3 and environment = $4`;

const CALLS = statement(`
  select coalesce(sum(credits_used), 0)::float8 as credits_used,
    round(avg(processing_time_ms) filter (where status = 'completed'))::float8 as avg_processing_time_ms
  from vision_requests where client_id = $1 and finished_at >= $2 and finished_at < $3 and environment = $4`);
const BY_TYPE = statement(`
  select document_type as type, count(*)::int as count, avg(avg_confidence)::float8 as avg_confidence,
    sum(coalesce(${IS_STRAIGHT}, 0))::int as straight
  from vision_documents where ${PERIOD} group by document_type order by count desc, type`);
const BY_WEEK = statement(`
  select to_char(created_at at time zone $5, 'IYYY"-W"IW') as week, avg(avg_confidence)::float8 as avg_confidence
  from vision_documents where ${PERIOD} group by week order by week`);

/** What the client's calls came to between two days of its own time zone, both counted in whole. */
export async function usageOf(
  tx: TenantTransaction,
  caller: Pick<Caller, 'client' | 'isSandbox'>,
  { input, now }: { input: GetUsageInput; now: number },
): Promise<UsageData> {
  const { client } = caller;
  const period = periodOf(input, client.timezone, now);
  const parameters = [tx.clientId, ...boundsOf(period, client.timezone), environmentOf(caller)];
  const [[calls], types, weeks] = await Promise.all([
    tx.query<{ credits_used: number; avg_processing_time_ms: number | null }>(CALLS, parameters),
    tx.query<{ type: string; count: number; avg_confidence: number | null; straight: number }>(BY_TYPE, parameters),
    tx.query<{ week: string; avg_confidence: number | null }>(BY_WEEK, [...parameters, client.timezone]),
  ]);
  const documents = types.reduce((sum, { count }) => sum + count, 0);
  const straight = types.reduce((sum, type) => sum + type.straight, 0);
  return {
    period,
    totals: {
      documents_processed: documents,
      credits_used: calls?.credits_used ?? 0,
      avg_processing_time_ms: calls?.avg_processing_time_ms ?? null,
      stp_rate: documents === 0 ? null : rounded(straight / documents),
    },
    by_document_type: types.map(({ straight: passed, ...type }) => ({
      ...type,
      avg_confidence: rounded(type.avg_confidence),
      stp_rate: rounded(passed / type.count),
    })),
    accuracy_trend: weeks.map(({ week, avg_confidence }) => ({ week, avg_confidence: rounded(avg_confidence) })),
  };
}

interface Period {
  from: string;
  to: string;
}

function periodOf({ from, to }: GetUsageInput, timezone: string, now: number): Period {
  const last = to ?? Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate().toString();
  const first = from ?? Temporal.PlainDate.from(last).subtract({ days: DEFAULT_DAYS }).toString();
  if (first > last) throw ApiError.invalid('from', `must not be after to (${last})`);
  const { days } = Temporal.PlainDate.from(first).until(last, { largestUnit: 'day' });
  if (days >= MAX_DAYS)
    throw ApiError.invalid('from', `must be less than ${String(MAX_DAYS)} days before to (${last})`);
  return { from: first, to: last };
}

function boundsOf({ from, to }: Period, timezone: string): [Date, Date] {
  const midnight = (day: Temporal.PlainDate): Date => new Date(day.toZonedDateTime(timezone).epochMilliseconds);
  return [midnight(Temporal.PlainDate.from(from)), midnight(Temporal.PlainDate.from(to).add({ days: 1 }))];
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}
