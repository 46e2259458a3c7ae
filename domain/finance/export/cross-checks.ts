import type { AuditorExportOptions, Violation } from '../../contracts/auditor-export.ts';
import type { DocumentType } from '../../contracts/finance.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { documentNumber } from '../finance-documents.rules.ts';
import { violation } from './check-document.ts';

/** What of one rule is told at most; one more says that there are more. */
const MOST = 1_000;

// The numbers of the period and the ones next to them on either side; behind the very last stands the counter.
const GAPS = statement(`
  with wanted as (
    select t.document_type, min(d.sequence_number) as low, max(d.sequence_number) as high
    from unnest($4::text[]) as t (document_type)
    join finance_documents d on d.client_id = $1 and d.document_type = t.document_type
      and d.document_date between $2 and $3 and d.sequence_number is not null
    group by t.document_type
  ), numbers as (
    select w.document_type, n.number,
      lead(n.number) over (partition by w.document_type order by n.number) as following
    from wanted w cross join lateral (
      select d.sequence_number as number from finance_documents d
      where d.client_id = $1 and d.document_type = w.document_type and d.sequence_number between w.low and w.high
      union
      select coalesce(max(d.sequence_number), 0) from finance_documents d
      where d.client_id = $1 and d.document_type = w.document_type and d.sequence_number < w.low
      union
      select coalesce(min(d.sequence_number), (select c.last_number + 1 from finance_counters c
          where c.client_id = $1 and c.document_type = w.document_type), w.high + 1)
      from finance_documents d
      where d.client_id = $1 and d.document_type = w.document_type and d.sequence_number > w.high
    ) n
  )
  select document_type, number + 1 as first, following - 1 as last from numbers
  where following > number + 1 order by document_type, number limit ${String(MOST)}`);

// Of bills the supplier's own number tells, whenever they are dated; of the others all that a reader would see. Where the
// other side is no contact record, its name and the day tell.
const DUPLICATES = statement(`
  select d.id, d.document_type, d.document_number, o.id as other_id, o.document_number as other_number
  from finance_documents d join lateral (
    select o.id, o.document_number from (
      select * from finance_documents where client_id = d.client_id and contact_id = d.contact_id
      union all
      select * from finance_documents where client_id = d.client_id and document_type = d.document_type
        and document_date = d.document_date and d.contact_id is null and contact_id is null
        and lower(contact_name) = lower(d.contact_name)) o
    where o.document_type = d.document_type and o.id < d.id
      and o.status not in ('draft', 'cancelled') and o.currency = d.currency
      and lower(coalesce(o.reference, '')) = lower(coalesce(d.reference, ''))
      and (case when d.document_type = 'bill' and d.reference is not null then true
        else o.document_date = d.document_date and o.total_minor = d.total_minor
          and o.converted_from_id is not distinct from d.converted_from_id end)
    order by o.id limit 1
  ) o on true
  where d.client_id = $1 and d.document_date between $2 and $3 and d.document_type = any($4)
    and d.status not in ('draft', 'cancelled') and d.total_minor <> 0
  order by d.document_date, d.id limit ${String(MOST)}`);

const SAME_NUMBER = statement(`
  select d.id, d.document_type, d.document_number, o.id as other_id, o.document_number as other_number
  from finance_documents d join finance_documents o on o.client_id = d.client_id and o.document_type = d.document_type
    and o.document_number = d.document_number and o.id < d.id
  where d.client_id = $1 and d.document_date between $2 and $3 and d.document_type = any($4)
  order by d.id limit ${String(MOST)}`);

// Against the number right before: one wrong day ahead of its time is told once, not of all that came after it. A bill has
// the day that its supplier gave it, whenever it was entered.
const OUT_OF_ORDER = statement(`
  select d.id, d.document_type, d.document_number, d.document_date::text as day, o.document_number as other_number,
    o.document_date::text as other_day
  from finance_documents d join finance_documents o on o.client_id = d.client_id and o.document_type = d.document_type
    and o.sequence_number = d.sequence_number - 1
  where d.client_id = $1 and d.document_date between $2 and $3 and d.document_type = any($4) and d.document_type <> 'bill'
    and d.document_date < o.document_date - 1
  order by d.document_date, d.id limit ${String(MOST)}`);

const OTHER_CONTACT = statement(`
  select d.id, d.document_type, d.document_number, d.contact_name as name, o.document_number as other_number,
    o.contact_name as other_name
  from finance_documents d join finance_documents o on o.client_id = d.client_id and o.id = d.invoice_id
  where d.client_id = $1 and d.document_date between $2 and $3 and d.document_type = any($4)
    and d.document_type = 'credit_note' and d.status <> 'draft' and (d.contact_id is distinct from o.contact_id
      or d.contact_id is null and d.contact_name <> o.contact_name)
  order by d.document_date, d.id limit ${String(MOST)}`);

interface OutOfOrderRow extends NamedRow {
  day: string;
  other_number: string;
  other_day: string;
}

interface OtherContactRow extends NamedRow {
  name: string;
  other_number: string;
  other_name: string;
}

interface NamedRow extends Record<string, unknown> {
  id: number;
  document_type: DocumentType;
  document_number: string | null;
}

interface GapRow extends Record<string, unknown> {
  document_type: DocumentType;
  first: number;
  last: number;
}

interface DuplicateRow extends NamedRow {
  other_id: number;
  other_number: string | null;
}

/** What is wrong between documents: missing numbers, and the same thing twice. */
export async function crossViolations(tx: TenantTransaction, options: AuditorExportOptions): Promise<Violation[]> {
  const period = [tx.clientId, options.date_from, options.date_to, options.document_types];
  const [gaps, alike, sameNumber, backwards, elsewhere] = await Promise.all([
    tx.query<GapRow>(GAPS, period),
    tx.query<DuplicateRow>(DUPLICATES, period),
    tx.query<DuplicateRow>(SAME_NUMBER, period),
    tx.query<OutOfOrderRow>(OUT_OF_ORDER, period),
    tx.query<OtherContactRow>(OTHER_CONTACT, period),
  ]);
  return [
    ...gaps.map(gapOf),
    ...sameNumber.map((row) => duplicateOf(row, 'error', 'has the same number')),
    ...backwards.map(outOfOrder),
    ...elsewhere.map(otherContact),
    ...alike.map((row) => duplicateOf(row, 'warning', 'says the same')),
  ];
}

function gapOf({ document_type, first, last }: GapRow): Violation {
  const count = last - first + 1;
  const names = [documentNumber(document_type, first), documentNumber(document_type, last)] as const;
  const message =
    count === 1 ? `${names[0]} is missing.` : `${names[0]} to ${names[1]} (${String(count)} numbers) are missing.`;
  return {
    rule: 'number_gap',
    severity: 'error',
    document_type,
    document_id: null,
    document_number: names[0],
    message,
    expected: null,
    actual: null,
  };
}

function outOfOrder(row: OutOfOrderRow): Violation {
  const { day, other_number, other_day } = row;
  const message = `It is dated ${day}, and ${other_number} before it ${other_day}.`;
  return violation(row, { rule: 'dates_out_of_order', severity: 'warning', message, expected: other_day, actual: day });
}

function otherContact(row: OtherContactRow): Violation {
  const { name, other_number, other_name } = row;
  const message = `It credits ${other_number}, which is not this contact's but that of ${other_name}.`;
  return violation(row, { rule: 'credit_to_another_contact', message, expected: other_name, actual: name });
}

function duplicateOf(row: DuplicateRow, severity: Violation['severity'], how: string): Violation {
  const other = row.other_number ?? String(row.other_id);
  return violation(row, { rule: 'duplicate_document', severity, message: `${other} ${how}: it may be there twice.` });
}
