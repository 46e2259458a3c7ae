import type { Violation } from '../../contracts/auditor-export.ts';
import { contentDigest, documentOf } from '../finance-document.view.ts';
import type { DocumentRow, LineRow } from '../finance-document.view.ts';
import { digitsOf, toMajor } from '../money.ts';
import { computeTotals } from '../totals.ts';

/** What other records say of how a document was settled, in minor units. */
export interface Settlement {
  /** Sum of its completed payments less what was refunded of them. */
  received_minor: number;
  /** Sum of the issued credit notes against it. */
  noted_minor: number;
}

/** What the checks look at: the stored rows, and what was really paid and credited. */
export interface DocumentFacts extends Settlement {
  row: DocumentRow;
  lines: readonly LineRow[];
}

/** Everything that is wrong with one document by itself. */
export function violationsOf(facts: DocumentFacts): Violation[] {
  return [...editViolations(facts), ...sumViolations(facts), ...paymentViolations(facts), ...creditViolations(facts)];
}

export function violation(
  row: Pick<DocumentRow, 'document_type' | 'id' | 'document_number'>,
  what: Pick<Violation, 'rule' | 'message'> & Partial<Pick<Violation, 'severity' | 'expected' | 'actual'>>,
): Violation {
  return {
    rule: what.rule,
    severity: what.severity ?? 'error',
    document_type: row.document_type,
    document_id: row.id,
    document_number: row.document_number,
    message: what.message,
    expected: what.expected ?? null,
    actual: what.actual ?? null,
  };
}

/** What was issued is digested at issue: whatever says something else now was changed behind the services' back. */
function editViolations({ row, lines }: DocumentFacts): Violation[] {
  const actual = contentDigest(documentOf(row, lines, ''), row.seller);
  if (row.issued_sha256 === actual) return [];
  const message =
    row.issued_sha256 === null
      ? 'It counts as issued, and has no digest of what was issued.'
      : 'It is not what was issued: its contents were changed afterwards.';
  return [violation(row, { rule: 'edited_after_issue', message, expected: row.issued_sha256, actual })];
}

function sumViolations({ row, lines }: DocumentFacts): Violation[] {
  const computed = computeTotals(lines.map(pricesOf), digitsOf(row.currency));
  const found: Violation[] = [];
  const compare = (rule: Violation['rule'], what: string, expected: number, actual: number): void => {
    if (expected === actual) return;
    const seen = { expected: words(row, expected), actual: words(row, actual) };
    const message = `${what} should be ${seen.expected} and is ${seen.actual}.`;
    found.push(violation(row, { rule, message, ...seen }));
  };
  for (const [index, line] of lines.entries()) {
    const name = `Line ${String(line.line_number)}:`;
    compare('totals_do_not_add_up', `${name} its net amount`, computed.lines[index]?.net_minor ?? 0, line.net_minor);
    compare('tax_does_not_match_rate', `${name} its tax`, computed.lines[index]?.tax_minor ?? 0, line.tax_minor);
  }
  compare('totals_do_not_add_up', 'The subtotal', computed.subtotal_minor, row.subtotal_minor);
  compare('totals_do_not_add_up', 'The discount', computed.discount_minor, row.discount_minor);
  compare('totals_do_not_add_up', 'The total', row.subtotal_minor + row.tax_minor, row.total_minor);
  compare('tax_does_not_match_rate', 'The tax', computed.tax_minor, row.tax_minor);
  const rates = new Map(row.tax_summary.map((group) => [Number(group.tax_rate), group.tax_minor]));
  for (const { tax_rate, tax_minor } of computed.tax_summary) {
    compare('tax_does_not_match_rate', `The tax at ${tax_rate}%`, tax_minor, rates.get(Number(tax_rate)) ?? 0);
  }
  return found;
}

function paymentViolations({ row, received_minor }: DocumentFacts): Violation[] {
  const seen = { expected: words(row, row.total_minor), actual: words(row, received_minor) };
  if (received_minor > row.total_minor) {
    const message = `Its payments come to ${seen.actual}, more than its total of ${seen.expected}.`;
    return [violation(row, { rule: 'payments_over_total', message, ...seen })];
  }
  if (received_minor === row.paid_minor) return [];
  const expected = words(row, row.paid_minor);
  const message = `Its payments come to ${seen.actual}, and it says that ${expected} was paid.`;
  return [violation(row, { rule: 'payments_do_not_match', message, expected, actual: seen.actual })];
}

function creditViolations({ row, noted_minor }: DocumentFacts): Violation[] {
  if (noted_minor === row.credited_minor) return [];
  const [expected, actual] = [words(row, row.credited_minor), words(row, noted_minor)];
  const message = `Credit notes against it come to ${actual}, and it says that ${expected} was credited.`;
  return [violation(row, { rule: 'credits_do_not_match', message, expected, actual })];
}

function words({ currency }: DocumentRow, minor: number): string {
  return `${String(toMajor(minor, currency))} ${currency}`;
}

function pricesOf(line: LineRow): { quantity: number; unit_price: number; discount_percent: number; tax_rate: number } {
  return {
    quantity: Number(line.quantity),
    unit_price: Number(line.unit_price),
    discount_percent: Number(line.discount_percent),
    tax_rate: Number(line.tax_rate),
  };
}
