import { z } from 'zod';
import { CustomRule } from './vision-rules.ts';

export const DOCUMENT_TYPES = [
  'invoice',
  'receipt',
  'bank_statement',
  'id_document',
  'passport',
  'drivers_license',
  'proof_of_address',
  'resume',
  'contract',
  'purchase_order',
  'delivery_note',
  'bill',
  'credit_note',
  'supplier_statement',
] as const;

/** Largest decoded file (decisions §9). */
export const MAX_FILE_BYTES = 20 * 1_048_576;

/** Most pages of one file, and the most that a synchronous call takes. */
export const MAX_PAGES = 50;
export const MAX_SYNC_PAGES = 10;

/** How long a synchronous call waits for its result before it answers 504; the work goes on. */
export const SYNC_BUDGET_MS = 30_000;

const DocumentType = z
  .string()
  .refine(
    (type) =>
      type === 'auto' || (DOCUMENT_TYPES as readonly string[]).includes(type) || /^custom:[\w-]{1,64}$/.test(type),
    {
      message: `must be auto, custom:<model_id> or one of ${DOCUMENT_TYPES.join(', ')}`,
    },
  )
  .describe(`auto, custom:<model_id>, ${DOCUMENT_TYPES.join(', ')}`)
  .meta({ example: 'auto' });

export const ValidationOptions = z
  .strictObject({
    check_vendor_against_master: z.boolean().default(false).describe('Look the vendor up among the contacts'),
    check_tax_rates: z.boolean().default(false).describe('Check tax against national rates'),
    gl_code_suggestion: z.boolean().default(false).describe('Suggest a ledger account per line'),
    custom_rules: z.array(CustomRule).max(50).default([]).describe('Rules of your own'),
  })
  .describe('Checks to run on the extracted fields');

/** The file of a call: sent, or fetched from a public address. */
export const FileFields = {
  file_base64: z
    .string()
    .min(1)
    .optional()
    .describe('Base64 of a PDF, PNG, JPG, WebP, HEIC or TIFF, or of an e-invoice in XML; this or file_url'),
  file_url: z
    .url()
    .max(2_000)
    .optional()
    .describe('Public address of the file; this or file_base64')
    .meta({ example: 'https://example.com/invoice.pdf' }),
};
export const ONE_FILE = { anyOf: [{ required: ['file_base64'] }, { required: ['file_url'] }] };

/** Names of languages that have one: a code of two letters without is none of ISO 639-1. */
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

const isLanguage = (code: string): boolean => /^[a-z]{2}$/.test(code) && LANGUAGES.of(code) !== undefined;

export const LanguageHint = z
  .string()
  .refine((code) => code === 'auto' || isLanguage(code), 'must be auto or a two-letter ISO 639-1 code')
  .meta({ pattern: '^(auto|[a-z]{2})$' })
  .default('auto')
  .describe('ISO 639-1 code of the language, or auto');

const AsyncFlag = z.boolean().optional();
export const AsyncField = AsyncFlag.describe('Answer 202 at once; fetch the result from GET /results/{id}');

export const CallbackFields = {
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('Receives the result; makes the call asynchronous'),
  async: AsyncFlag.describe('Answer 202 at once; fetch the result or receive it at webhook_url'),
};

/** Options of an extraction, alone or as a step of a pipeline. */
export const ExtractionFields = {
  document_type: DocumentType.default('auto'),
  extract_line_items: z.boolean().default(true).describe('Whether to extract line items'),
  confidence_threshold: z.number().min(0).max(1).default(0.5).describe('Fields below it are left out'),
  validation: ValidationOptions.optional(),
};

export const ExtractRequest = z
  .strictObject({
    ...FileFields,
    ...ExtractionFields,
    ...CallbackFields,
    language_hint: LanguageHint,
    crop: z.boolean().default(false).describe('Cut out the documents on a photo first'),
    split: z.boolean().default(false).describe('Split a file of several documents first'),
  })
  .meta(ONE_FILE);
export type ExtractInput = z.output<typeof ExtractRequest>;

export const BoundingBox = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), page: z.int() })
  .describe('Pixels of the page, counted from its top left corner')
  .meta({ id: 'BoundingBox' });

/** What a correction adds to a value. */
const CorrectedFields = {
  corrected: z.literal(true).optional().describe('Somebody corrected it: its value is right'),
  original_value: z.unknown().optional().describe('What was extracted, where it was corrected'),
};

export const ExtractionField = z
  .object({
    value: z.unknown().describe('Dates ISO 8601, amounts numbers, currency ISO 4217'),
    confidence: z.number().min(0).max(1),
    bbox: BoundingBox.nullable(),
    tax_rate: z.number().optional().describe('Percent; of the field tax'),
    ...CorrectedFields,
    source: z.literal('xml').optional().describe('Read from the XML that the file carries, not from the page'),
  })
  .meta({ id: 'ExtractionField' });

/** What a file carries as an e-invoice, and where its page says otherwise. */
export const EInvoiceSource = z
  .object({
    syntax: z.string().describe('cii, ubl, zugferd1, order-x').meta({ example: 'cii' }),
    profile: z.string().optional(),
    differences: z.array(z.object({ field: z.string(), xml: z.unknown(), page: z.unknown() })),
  })
  .meta({ id: 'EInvoiceSource' });

export const TypeScore = z.object({ type: z.string(), confidence: z.number() }).meta({ id: 'TypeScore' });

export const Validation = z
  .object({
    checks: z
      .array(z.object({ rule: z.string(), passed: z.boolean(), message: z.string() }))
      .optional()
      .describe('Arithmetic and contradictions within the document'),
    vendor_verified: z.boolean().optional(),
    vendor: z
      .object({ contact_id: z.int(), name: z.string(), matched_by: z.enum(['tax_number', 'name']), score: z.number() })
      .nullable()
      .optional()
      .describe('The contact that the vendor is'),
    tax_rates_valid: z.boolean().optional(),
    gl_code_suggestions: z
      .array(z.object({ line: z.int(), gl_code: z.string(), gl_name: z.string(), confidence: z.number() }))
      .optional(),
    rule_results: z
      .array(z.object({ field: z.string(), rule: z.string(), passed: z.boolean(), message: z.string() }))
      .optional(),
  })
  .meta({ id: 'Validation' });
export type ValidationData = z.output<typeof Validation>;

const Cell = z.object({
  value: z.unknown(),
  confidence: z.number(),
  bbox: BoundingBox.nullable().optional(),
  ...CorrectedFields,
});

const Outcome = {
  document_type: z.string().optional(),
  document_type_confidence: z.number().optional(),
  alternatives: z.array(TypeScore).optional().describe('The other types; with the first one they sum to 1'),
  fields: z.record(z.string(), ExtractionField).optional(),
  left_out: z
    .record(z.string(), z.number())
    .optional()
    .describe('Fields below confidence_threshold, and how sure they were; where there are any')
    .meta({ example: { due_date: 0.41 } }),
  line_items: z.array(z.record(z.string(), Cell)).optional(),
  einvoice: EInvoiceSource.optional(),
  validation: Validation.optional(),
};

/** One of several documents that were found in a file. */
export const FoundDocument = z
  .object({
    document: z.object({
      index: z.int(),
      pages: z.array(z.int()).describe('Pages of the file, counted from 1'),
      bbox: BoundingBox.nullable().optional().describe('Where it lay on its page, where it was cut out'),
      rotation: z.number().optional().describe('Degrees by which the cut was turned clockwise'),
    }),
    ...Outcome,
  })
  .meta({ id: 'FoundDocument' });

/** What every answer of an asynchronous call says while it is not done. */
export const ProgressFields = {
  request_id: z.uuid(),
  status: z.enum(['queued', 'running', 'completed']).optional().describe('Of an asynchronous call'),
  pages_done: z.int().optional(),
  pages_total: z.int().nullable().optional(),
};

export const ChargeFields = {
  credits_used: z.number().optional(),
  processing_time_ms: z.int().optional(),
};

export const ExtractResponse = z
  .object({
    ...ProgressFields,
    ...Outcome,
    documents: z
      .array(FoundDocument)
      .optional()
      .describe('With split or crop: each document found; the first is above'),
    ...ChargeFields,
  })
  .meta({ id: 'ExtractResponse' });
export type ExtractAnswer = z.output<typeof ExtractResponse>;

export const GetResult = z.strictObject({ id: z.uuid().describe('The request_id of the call') });

/** Codes with which a document can be refused; the engine's, and those of the service around it. */
export type DocumentFailureCode =
  | 'UNSUPPORTED_TYPE'
  | 'ENCRYPTED'
  | 'BROKEN'
  | 'TOO_LARGE'
  | 'TOO_MANY_PAGES'
  | 'EMPTY'
  | 'OUT_OF_RESOURCES'
  | 'TIMEOUT'
  | 'BAD_STEPS'
  | 'BAD_MODEL'
  | 'OUT_OF_CREDITS'
  | 'MODEL_NOT_READY'
  | 'CANCELLED'
  | 'INTERNAL';
