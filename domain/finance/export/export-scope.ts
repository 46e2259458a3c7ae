import { Temporal } from 'temporal-polyfill';
import { countSealedEntries } from '../../audit/index.ts';
import type { AuditorExportInput, AuditorExportOptions } from '../../contracts/auditor-export.ts';
import { EXPORT_LIMITS, EXPORT_PARTS, MAX_DIRECT_DAYS, MAX_YEARS } from '../../contracts/auditor-export.ts';
import type { Caller } from '../../contracts/caller.ts';
import { ApiError } from '../../contracts/errors.ts';
import { FINANCE_TYPES_BY_TIER } from '../../contracts/event-names.ts';
import { DOCUMENT_TYPES } from '../../contracts/finance.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { checkAccess } from '../access.ts';
import { todayOf } from '../today.ts';
import { countDocuments } from './read-documents.ts';
import { countTrail } from './read-trail.ts';

const ROLES: readonly unknown[] = ['owner', 'admin', 'auditor'];
/** More documents than these run as a workflow however short the period: they are more than a moment's work. */
const MAX_DIRECT_DOCUMENTS = 1_000;
/** Of the trail; and of whatever kind, to be held against their seals, twice as many. */
const MAX_DIRECT_ENTRIES = 10_000;
const SEALED_WITHIN_MS = 24 * 3_600_000;

/** Owner, admin and auditor, signed in themselves; nobody else sees the books as a whole. */
export function checkMayAudit(caller: Caller): void {
  if (ROLES.includes(caller.role)) return;
  throw new ApiError('FORBIDDEN', 'Only an owner, an admin or an auditor may export the books.');
}

/** What is asked for, with the tier's types and the client's timezone settled. */
export function exportOptions(caller: Caller, input: AuditorExportInput, now: number): AuditorExportOptions {
  const { date_from, date_to, format } = input;
  const from = Temporal.PlainDate.from(date_from);
  const to = Temporal.PlainDate.from(date_to);
  if (Temporal.PlainDate.compare(from, to) > 0) throw ApiError.invalid('date_to', 'must not be before date_from');
  if (Temporal.PlainDate.compare(to, from.add({ years: MAX_YEARS })) >= 0) {
    throw ApiError.invalid('date_to', `must be less than ${String(MAX_YEARS)} years after date_from`);
  }
  const midnight = (day: Temporal.PlainDate): string =>
    day.toZonedDateTime(caller.client.timezone).toInstant().toString({ smallestUnit: 'millisecond' });
  const types = new Set(input.document_types ?? typesOfTier(caller));
  for (const type of types) checkAccess(caller, type, 'read');
  const parts = new Set(input.include ?? EXPORT_PARTS);
  return {
    date_from,
    date_to,
    format,
    document_types: DOCUMENT_TYPES.filter((type) => types.has(type)),
    include: EXPORT_PARTS.filter((part) => parts.has(part)),
    since: midnight(from),
    until: midnight(to.add({ days: 1 })),
    today: todayOf(caller, now),
  };
}

function typesOfTier({ client }: Caller): (typeof DOCUMENT_TYPES)[number][] {
  const types = DOCUMENT_TYPES.filter((type) => FINANCE_TYPES_BY_TIER[client.finance_tier]?.includes(type));
  if (types.length === 0) throw ApiError.tierRestricted(`The finance tier ${client.finance_tier} has no documents.`);
  return types;
}

/** Whether it is short enough to be answered at once. 422 for more than one bundle can hold. */
export async function isDirect(tx: TenantTransaction, options: AuditorExportOptions): Promise<boolean> {
  const [{ documents, lines }, entries, sealed] = await Promise.all([
    countDocuments(tx, options, EXPORT_LIMITS.documents + 1),
    countTrail(tx, options, EXPORT_LIMITS.audit_trail + 1),
    countSealedEntries(tx, tx.clientId, sealWindow(options)),
  ]);
  const counts = { documents, line_items: lines, audit_trail: entries };
  for (const [part, limit] of Object.entries(EXPORT_LIMITS)) {
    if (counts[part as keyof typeof counts] <= limit) continue;
    const words = part.replaceAll('_', ' ');
    throw ApiError.unprocessable(`The period holds more than ${String(limit)} ${words}: export it in shorter pieces.`, [
      { field: 'date_to', issue: `more than ${String(limit)} ${words} until then` },
    ]);
  }
  const days = Temporal.PlainDate.from(options.date_from).until(options.date_to, { largestUnit: 'days' }).days + 1;
  const isSmall =
    documents <= MAX_DIRECT_DOCUMENTS && entries <= MAX_DIRECT_ENTRIES && sealed <= 2 * MAX_DIRECT_ENTRIES;
  return days <= MAX_DIRECT_DAYS && isSmall;
}

/** When the seals over the entries of the period were made: within minutes of the commit, a day at the most. */
export function sealWindow({ since, until }: AuditorExportOptions): { since: Date; until: Date } {
  return { since: new Date(since), until: new Date(Date.parse(until) + SEALED_WITHIN_MS) };
}
