import { z } from 'zod';

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
    custom_rules: z.array(z.record(z.string(), z.unknown())).max(50).default([]).describe('Rules of your own'),
  })
  .describe('Checks to run on the extracted fields');

export const ExtractRequest = z
  .strictObject({
    file_base64: z.string().min(1).optional().describe('Base64 of a PDF, PNG, JPG, WebP or TIFF; this or file_url'),
    file_url: z
      .url()
      .max(2_000)
      .optional()
      .describe('Public address of the file; this or file_base64')
      .meta({ example: 'https://example.com/invoice.pdf' }),
    document_type: DocumentType.default('auto'),
    extract_line_items: z.boolean().default(true).describe('Whether to extract line items'),
    confidence_threshold: z.number().min(0).max(1).default(0.5).describe('Fields below it are left out'),
    validation: ValidationOptions.optional(),
    webhook_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .describe('Receives the result; makes the call asynchronous'),
    async: z.boolean().optional().describe('Answer 202 at once; fetch the result or receive it at webhook_url'),
    language_hint: z
      .string()
      .regex(/^(auto|[a-z]{2})$/, 'must be auto or a two-letter ISO 639-1 code')
      .default('auto')
      .describe('ISO 639-1 code of the language, or auto'),
    crop: z.boolean().default(false).describe('Cut out the documents on a photo first'),
    split: z.boolean().default(false).describe('Split a file of several documents first'),
  })
  .meta({ anyOf: [{ required: ['file_base64'] }, { required: ['file_url'] }] });
export type ExtractInput = z.output<typeof ExtractRequest>;

export const BoundingBox = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), page: z.int() })
  .describe('Pixels of the page, counted from its top left corner')
  .meta({ id: 'BoundingBox' });

export const ExtractionField = z
  .object({
    value: z.unknown().describe('Dates ISO 8601, amounts numbers, currency ISO 4217'),
    confidence: z.number().min(0).max(1),
    bbox: BoundingBox.nullable(),
    tax_rate: z.number().optional(),
  })
  .meta({ id: 'ExtractionField' });

const Cell = z.object({ value: z.unknown(), confidence: z.number(), bbox: BoundingBox.nullable().optional() });

export const ExtractResponse = z
  .object({
    request_id: z.uuid(),
    status: z.enum(['queued', 'running', 'completed']).optional().describe('Of an asynchronous call'),
    document_type: z.string().optional(),
    document_type_confidence: z.number().optional(),
    fields: z.record(z.string(), ExtractionField).optional(),
    line_items: z.array(z.record(z.string(), Cell)).optional(),
    validation: z.record(z.string(), z.unknown()).optional(),
    credits_used: z.number().optional(),
    processing_time_ms: z.int().optional(),
    pages_done: z.int().optional(),
    pages_total: z.int().nullable().optional(),
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
  | 'OUT_OF_CREDITS'
  | 'INTERNAL';
