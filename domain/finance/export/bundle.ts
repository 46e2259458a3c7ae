import { Big } from 'big.js';
import { createHash } from 'node:crypto';
import type {
  AuditorBundle,
  AuditorExportOptions,
  ExportedDocument,
  ExportedEntry,
  ExportedLine,
  ExportedSeals,
  ExportPart,
  ExportTotals,
  Violation,
} from '../../contracts/auditor-export.ts';
import { canonicalJson } from './canonical-json.ts';
import { toCsv } from './csv.ts';

/** Everything that goes into a bundle. */
export interface ExportContent {
  documents: ExportedDocument[];
  line_items: ExportedLine[];
  audit_trail: ExportedEntry[];
  compliance_violations: Violation[];
}

interface Frame {
  options: AuditorExportOptions;
  timezone: string;
  seals: ExportedSeals;
  now: number;
}

/** The bundle as it is handed to the auditor, with the digest that it can be checked by. */
export function bundleOf(content: ExportContent, { options, timezone, seals, now }: Frame): AuditorBundle {
  const { date_from, date_to, format, document_types } = options;
  const frame = {
    period: { date_from, date_to, timezone },
    generated_at: new Date(now).toISOString(),
    document_types,
    totals: totalsOf(content.documents),
    audit_seals: seals,
  };
  const parts = Object.fromEntries(options.include.map((part) => [part, partOf(content, part, format)]));
  const bundle = { ...frame, format, ...parts };
  const sha256 = createHash('sha256').update(canonicalJson(bundle)).digest('hex');
  return { ...bundle, sha256 };
}

function partOf(content: ExportContent, part: ExportPart, format: AuditorExportOptions['format']): unknown {
  return format === 'json' ? content[part] : toCsv(COLUMNS[part], content[part]);
}

/** Sums per type and currency, computed as decimals. */
function totalsOf(documents: readonly ExportedDocument[]): ExportTotals[] {
  const groups = Map.groupBy(documents, (document) => `${document.document_type} ${document.currency}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const sum = (field: (typeof SUMMED)[number]): number =>
        group.reduce((total, document) => total.plus(document[field]), new Big(0)).toNumber();
      const sums = Object.fromEntries(SUMMED.map((field) => [field, sum(field)])) as Record<
        (typeof SUMMED)[number],
        number
      >;
      return { document_type: first.document_type, currency: first.currency, count: group.length, ...sums };
    });
}

const SUMMED = [
  'subtotal',
  'tax_total',
  'total',
  'amount_paid',
  'amount_credited',
  'amount_due',
  'amount_to_refund',
] as const;

const COLUMNS = {
  documents: [
    'id',
    'document_type',
    'document_number',
    'status',
    'document_date',
    'due_date',
    'issued_at',
    'contact_id',
    'contact_name',
    'contact_email',
    'contact_phone',
    'contact_address',
    'contact_tax_number',
    'currency',
    'subtotal',
    'discount_total',
    'tax_total',
    'total',
    'amount_paid',
    'amount_credited',
    'amount_due',
    'amount_to_refund',
    'tax_summary',
    'reference',
    'notes',
    'terms',
    'custom_fields',
    'converted_from_type',
    'converted_from_id',
    'invoice_id',
    'issued_sha256',
    'created_at',
    'updated_at',
  ],
  line_items: [
    'document_id',
    'document_type',
    'document_number',
    'line_number',
    'description',
    'quantity',
    'unit_price',
    'discount_percent',
    'discount_amount',
    'net_amount',
    'tax_rate',
    'tax_amount',
    'total_amount',
    'item_code',
    'account_code',
  ],
  audit_trail: [
    'id',
    'at',
    'actor_type',
    'actor_id',
    'actor_name',
    'action',
    'subject_type',
    'subject_id',
    'address',
    'details',
  ],
  compliance_violations: [
    'rule',
    'severity',
    'document_type',
    'document_id',
    'document_number',
    'message',
    'expected',
    'actual',
  ],
} as const satisfies Record<ExportPart, readonly string[]>;
