import type { Violation } from '../../contracts/auditor-export.ts';
import { contentDigest, documentOf } from '../finance-document.view.ts';
import type { DocumentRow, LineRow } from '../finance-document.view.ts';
import { digitsOf, toMajor } from '../money.ts';
import { computeTotals } from '../totals.ts';

/** What the checks look at: the stored rows, and what was really paid. */
export interface DocumentFacts {
  row: DocumentRow;
  lines: readonly LineRow[];
  /** Sum of its completed payments, in minor units. */
  received_minor: number;
}

/** Everything that is wrong with one document by itself. */
export function violationsOf(facts: DocumentFacts): Violation[] {
  return [...editViolations(facts), ...sumViolations(facts), ...paymentViolations(facts)];
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
  const actual = contentDigest(documentOf(row, lines, ''));
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
    const words = (minor: number): string => `${String(toMajor(minor, row.currency))} ${row.currency}`;
    const message = `${what} should be ${words(expected)} and is ${words(actual)}.`;
    found.push(violation(row, { rule, message, expected: words(expected), actual: words(actual) }));
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
  const words = (minor: number): string => `${String(toMajor(minor, row.currency))} ${row.currency}`;
  const seen = { expected: words(row.total_minor), actual: words(received_minor) };
  if (received_minor > row.total_minor) {
    const message = `Its payments come to ${seen.actual}, more than its total of ${seen.expected}.`;
    return [violation(row, { rule: 'payments_over_total', message, ...seen })];
  }
  if (received_minor === row.paid_minor) return [];
  const message = `Its payments come to ${seen.actual}, and it says that ${words(row.paid_minor)} was paid.`;
  return [
    violation(row, { rule: 'payments_do_not_match', message, expected: words(row.paid_minor), actual: seen.actual }),
  ];
}

function pricesOf(line: LineRow): { quantity: number; unit_price: number; discount_percent: number; tax_rate: number } {
  return {
    quantity: Number(line.quantity),
    unit_price: Number(line.unit_price),
    discount_percent: Number(line.discount_percent),
    tax_rate: Number(line.tax_rate),
  };
}
