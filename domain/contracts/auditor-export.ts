import { z } from 'zod';
import { Day, dayField, Moment } from './common.ts';
import { DOCUMENT_TYPES, FinanceDocumentSummary, FinanceLineView } from './finance.ts';

export const EXPORT_FORMATS = ['json', 'csv'] as const;
export const EXPORT_PARTS = ['documents', 'line_items', 'audit_trail', 'compliance_violations'] as const;
export type ExportPart = (typeof EXPORT_PARTS)[number];

/** Longer periods run as a workflow (decisions §6). */
export const MAX_DIRECT_DAYS = 92;
export const MAX_YEARS = 10;
/** What one bundle holds at most: more would neither fit an answer nor be read by anyone in one piece. */
export const EXPORT_LIMITS = { documents: 10_000, line_items: 50_000, audit_trail: 100_000 } as const;
/** The same in bytes of JSON: a bundle is held in memory as a whole. */
export const MAX_BUNDLE_MIB = 64;
/** How long the call waits for a workflow before it answers 504. */
export const EXPORT_BUDGET_MS = 60_000;

export const AuditorExportRequest = z.strictObject({
  date_from: dayField('First day of the period: documents dated, and audit entries made, from then on').meta({
    example: '2026-07-01',
  }),
  date_to: dayField(`Last day of the period, included; at most ${String(MAX_YEARS)} years after date_from`).meta({
    example: '2026-09-30',
  }),
  format: z
    .enum(EXPORT_FORMATS)
    .default('json')
    .describe('json: lists of objects; csv: each part is one RFC 4180 text, safe to open in a spreadsheet')
    .meta({ example: 'json' }),
  document_types: z
    .array(z.enum(DOCUMENT_TYPES))
    .min(1)
    .max(DOCUMENT_TYPES.length)
    .describe('Only these types; all types of your finance tier by default')
    .optional()
    .meta({ example: ['invoice', 'credit_note'] }),
  include: z
    .array(z.enum(EXPORT_PARTS))
    .min(1)
    .max(EXPORT_PARTS.length)
    .describe('Only these parts of the bundle; all by default')
    .optional()
    .meta({ example: ['documents', 'compliance_violations'] }),
});
export type AuditorExportInput = z.output<typeof AuditorExportRequest>;

export const AuditorExportRef = z.strictObject({
  export_id: z.uuid().describe('Id of the export, from the 504 of the call that began it').meta({
    example: '0f5b7c9e-55d4-4c3a-9a51-2f4f0a9d7b11',
  }),
});

/** What an export was asked for, with all that follows from the caller settled: a workflow has no caller. */
export interface AuditorExportOptions {
  date_from: string;
  date_to: string;
  format: (typeof EXPORT_FORMATS)[number];
  document_types: (typeof DOCUMENT_TYPES)[number][];
  include: ExportPart[];
  /** The period in moments: from the first's midnight in the client's timezone to that after the last. */
  since: string;
  until: string;
  /** The day by which `overdue` goes. */
  today: string;
}

export const VIOLATION_RULES = [
  'number_gap',
  'edited_after_issue',
  'totals_do_not_add_up',
  'tax_does_not_match_rate',
  'duplicate_document',
  'dates_out_of_order',
  'payments_over_total',
  'payments_do_not_match',
  'credits_do_not_match',
  'credit_to_another_contact',
  'audit_trail_broken',
] as const;

export const ExportedDocument = FinanceDocumentSummary.extend({
  issued_sha256: z.string().nullable().describe('Digest of what was issued, taken at issue'),
}).meta({ id: 'AuditedDocument' });
export type ExportedDocument = z.output<typeof ExportedDocument>;

export const ExportedLine = z
  .object({
    document_id: z.int(),
    document_type: z.enum(DOCUMENT_TYPES),
    document_number: z.string().nullable(),
    ...FinanceLineView.shape,
  })
  .meta({ id: 'AuditedLine' });
export type ExportedLine = z.output<typeof ExportedLine>;

export const ExportedEntry = z
  .object({
    id: z.int(),
    at: Moment,
    actor_type: z.string().meta({ example: 'user' }),
    actor_id: z
      .string()
      .describe('Id of the user, API key or OAuth application; which part it was, where the platform acted'),
    actor_name: z
      .string()
      .nullable()
      .describe('Name of the user, API key or OAuth application as it is now; null where the platform itself acted')
      .meta({ example: 'Thandi Mokoena' }),
    action: z.string().meta({ example: 'invoice.issued' }),
    subject_type: z.string().meta({ example: 'finance_document' }),
    subject_id: z.string(),
    address: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditedEntry' });
export type ExportedEntry = z.output<typeof ExportedEntry>;

export const Violation = z
  .object({
    rule: z.enum(VIOLATION_RULES).meta({ example: 'number_gap' }),
    severity: z.enum(['error', 'warning']).describe('warning: worth a look, and may be right'),
    document_type: z.enum(DOCUMENT_TYPES).nullable(),
    document_id: z.int().nullable(),
    document_number: z.string().nullable(),
    message: z.string().meta({ example: 'INV-000004 to INV-000006 (3 numbers) are missing.' }),
    expected: z.string().nullable(),
    actual: z.string().nullable(),
  })
  .meta({ id: 'ComplianceViolation' });
export type Violation = z.output<typeof Violation>;

const Totals = z
  .object({
    document_type: z.enum(DOCUMENT_TYPES),
    currency: z.string().meta({ example: 'ZAR' }),
    count: z.int(),
    subtotal: z.number(),
    tax_total: z.number(),
    total: z.number(),
    amount_paid: z.number(),
    amount_credited: z.number(),
    amount_due: z.number(),
    amount_to_refund: z.number(),
  })
  .describe('Sums per type and currency');
export type ExportTotals = z.output<typeof Totals>;

const Seals = z
  .object({
    status: z
      .enum(['intact', 'broken', 'none'])
      .describe('Whether the chain of hashes over the audit trail holds for the period; none: nothing is sealed yet'),
    seals: z.int().describe('Seals made since the period began that were computed anew and compared'),
    entries: z.int().describe('Audit entries that they hold, of whatever kind'),
    unsealed: z.int().describe('Entries of the bundle that are not sealed yet; the sealer runs every minute'),
    last_sequence: z.int().nullable(),
    last_hash: z.string().nullable().describe('Keep it: a later export must show the same hash for this sequence'),
    last_sealed_at: Moment.nullable(),
  })
  .meta({ id: 'AuditSealStatus' });
export type ExportedSeals = z.output<typeof Seals>;

const bundleFields = {
  period: z.object({ date_from: Day, date_to: Day, timezone: z.string().meta({ example: 'Africa/Johannesburg' }) }),
  generated_at: Moment,
  document_types: z.array(z.enum(DOCUMENT_TYPES)),
  totals: z.array(Totals),
  audit_seals: Seals,
  sha256: z
    .string()
    .describe('SHA-256, in hexadecimal, of the bundle without this field as canonical JSON (RFC 8785)')
    .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
};
const csv = (of: string) => z.string().describe(`${of} as RFC 4180 text with a heading line`).optional();

const JsonBundle = z
  .object({
    ...bundleFields,
    format: z.literal('json'),
    documents: z.array(ExportedDocument).optional(),
    line_items: z.array(ExportedLine).optional(),
    audit_trail: z.array(ExportedEntry).optional(),
    compliance_violations: z.array(Violation).optional(),
  })
  .meta({ id: 'AuditorBundleJson' });
const CsvBundle = z
  .object({
    ...bundleFields,
    format: z.literal('csv'),
    documents: csv('The documents'),
    line_items: csv('Their lines'),
    audit_trail: csv('The audit entries'),
    compliance_violations: csv('What is wrong'),
  })
  .meta({ id: 'AuditorBundleCsv' });

export const AuditorBundle = z.discriminatedUnion('format', [JsonBundle, CsvBundle]);
export type AuditorBundle = z.output<typeof AuditorBundle>;

export const AuditorExportAnswer = z.object({
  bundle: AuditorBundle.describe('Documents, lines, audit trail and compliance violations of the period'),
});

export const AuditorExportStatus = z.object({
  export_id: z.uuid(),
  status: z.enum(['queued', 'running', 'completed']).meta({ example: 'running' }),
  documents_done: z.int().describe('Documents read so far').meta({ example: 1500 }),
  bundle: AuditorBundle.optional().describe('Once the status is completed'),
});
