import type { EInvoice, EInvoiceSyntax } from './einvoice/types.ts';
import type { Lesson, ModelDefinition, TrainedModel } from './learn/types.ts';

/** A rectangle in page pixels, origin at the top left of the upright page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PageBox extends Box {
  /** 1-based. */
  page: number;
}

export interface Word {
  text: string;
  /** 0 to 1. */
  confidence: number;
  bbox: Box;
}

export type Rotation = 0 | 90 | 180 | 270;

export interface PageImage {
  /** 1-based. */
  page: number;
  width: number;
  height: number;
  dpi: number;
}

/** One page as text. Plain JSON, so that it can be stored between two steps. */
export interface PageText extends PageImage {
  words: Word[];
  source: 'text_layer' | 'ocr';
  /** How far the stored page was turned clockwise to stand upright (after EXIF and the PDF's own /Rotate). */
  rotation: Rotation;
  /** ISO 639-1. */
  language: string;
}

export interface DocumentInfo {
  mime: string;
  pages: number;
  bytes: number;
  encrypted: boolean;
  /** The file is, or carries, an invoice as XML: `readEInvoice` gives what it says. Left out where there is none. */
  einvoice?: { syntax: EInvoiceSyntax; profile?: string };
}

export interface Limits {
  maxBytes?: number;
  maxPages?: number;
  /** Pixels of one page, after decoding. */
  maxPixels?: number;
}

export const documentTypes = [
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
export type DocumentType = (typeof documentTypes)[number];

export interface ExtractionField {
  value: unknown;
  confidence: number;
  bbox: PageBox | null;
  /** Percent; only on `tax`. */
  tax_rate?: number;
  /** Set where the value was not read from the page but from the XML that the file carries. */
  source?: 'xml';
}

export interface LineItemCell {
  value: unknown;
  confidence: number;
  bbox?: PageBox | null;
}

export interface LineItem {
  description: LineItemCell;
  quantity: LineItemCell;
  unit_price: LineItemCell;
  total: LineItemCell;
  [column: string]: LineItemCell;
}

export interface TypeScore {
  type: string;
  confidence: number;
}

export interface Classification {
  document_type: string;
  confidence: number;
  alternatives: TypeScore[];
}

export interface Extraction {
  document_type: string;
  document_type_confidence: number;
  fields: Record<string, ExtractionField>;
  line_items: LineItem[];
  alternatives: TypeScore[];
  /** Fields below `confidence_threshold`, and how sure they were; only where there are any. */
  left_out?: Record<string, number>;
  /** Only where the file carries an XML invoice: whose fields its page contradicts. */
  einvoice?: {
    syntax: EInvoiceSyntax;
    profile?: string;
    differences: { field: string; xml: string | number; page: unknown }[];
  };
}

export interface ValidationCheck {
  rule: string;
  passed: boolean;
  message: string;
}

export const customRuleNames = [
  'required',
  'regex',
  'min',
  'max',
  'one_of',
  'equals_field',
  'date_before',
  'date_after',
] as const;

/** A rule of the caller's own about one field. */
export interface CustomRule {
  field: string;
  rule: (typeof customRuleNames)[number];
  /** regex: a pattern; min, max: a number; one_of: a list; equals_field: a field; date_*: an ISO date or a field. */
  value?: unknown;
  /** Said instead of our own words where the rule fails. */
  message?: string | undefined;
}

export interface RuleResult {
  field: string;
  rule: CustomRule['rule'];
  passed: boolean;
  message: string;
}

/** A supplier on the client's record. */
export interface VendorRecord {
  id: number | string;
  name: string;
  tax_number?: string | null | undefined;
}

export interface VendorMatch {
  contact_id: number | string;
  name: string;
  matched_by: 'tax_number' | 'name';
  /** 0 to 1. */
  score: number;
}

/** An account of the client's chart. */
export interface LedgerAccount {
  gl_code: string;
  gl_name: string;
  keywords?: string[];
}

/** What a person once chose for a line. */
export interface AccountLesson {
  description: string;
  vendor?: string | null | undefined;
  gl_code: string;
}

export interface AccountSuggestion {
  /** 1-based, among the line items. */
  line: number;
  gl_code: string;
  gl_name: string;
  /** 0 to 1. */
  confidence: number;
}

/** Arithmetic is always checked; the rest where it is asked for. */
export interface ValidateOptions {
  check_vendor_against_master?: boolean | undefined;
  /** Who the caller found the vendor to be, or null for nobody; else it is looked up in `vendors`. */
  vendor?: VendorMatch | null | undefined;
  vendors?: VendorRecord[] | undefined;
  check_tax_rates?: boolean | undefined;
  /** ISO 3166-1 alpha-2 of the client; used where the document does not tell its country. */
  country?: string | null | undefined;
  gl_code_suggestion?: boolean | undefined;
  accounts?: LedgerAccount[] | undefined;
  /** Newest first: of those that contradict each other the newest wins. */
  lessons?: AccountLesson[] | undefined;
  custom_rules?: CustomRule[] | undefined;
}

export interface Validation {
  checks: ValidationCheck[];
  /** Only with check_vendor_against_master. */
  vendor_verified?: boolean;
  vendor?: VendorMatch | null;
  /** Only with check_tax_rates, where a rate or a sum could be checked: whether the rates exist and the sums agree. */
  tax_rates_valid?: boolean;
  /** Only with gl_code_suggestion. */
  gl_code_suggestions?: AccountSuggestion[];
  /** Only with custom_rules. */
  rule_results?: RuleResult[];
}

/** One of the documents found in a file of several. */
export interface SplitDocument {
  /** 0-based, in the order of the pages. */
  index: number;
  /** 1-based; blank pages belong to no document. */
  pages: number[];
  type: string;
  /** Probability that the document begins and ends where it is said to and is whole, 0 to 1. */
  confidence: number;
}

export interface ReadPageOptions {
  /** ISO 639-1 hint. */
  language?: string;
  signal?: AbortSignal;
}

export interface ExtractOptions {
  document_type?: string;
  extract_line_items?: boolean;
  /** Fields below it are left out. Default 0: the caller sees everything. */
  confidence_threshold?: number;
  /** ISO 3166-1 alpha-2 of the reader's client; breaks ties of date order and currency only. */
  country?: string;
  /** ISO 4217; used when the page names no currency. */
  currency?: string;
  /** What `readEInvoice` gave for the file: taken over what its pages seem to say. */
  einvoice?: EInvoice | undefined;
  /** What corrections taught; only lessons of the document's own issuer change anything. */
  lessons?: Lesson[] | undefined;
  /** Extracts with this model in place of a pre-trained one; `document_type` is what the answer calls the type. */
  custom?: { document_type: string; model: TrainedModel } | undefined;
}

/** A document of a custom model with its true values: `{field: value}`, or `{field: {value, bbox}}` where it stands. */
export interface TrainingSample {
  pages: PageText[];
  annotations: Record<string, unknown>;
}

export interface ModelExtractOptions {
  /** What the answer calls the type; default `custom`. */
  document_type?: string | undefined;
  /** Fields below it are left out. Default 0. */
  confidence_threshold?: number | undefined;
}

/** One paper or card that was found on a page. */
export interface CropRegion {
  /** 0-based, in reading order. */
  index: number;
  /** In the source's pixels, upright by EXIF; for a page of a PDF, in those of the raster that its text is read from. */
  bbox: PageBox;
  /** In the same pixels: where the cut's corners lie, [x, y], from its upper left clockwise. May reach beyond the page. */
  corners: [number, number][];
  /** True where the page shows one document and was not turned: reading the page itself is as good as reading the cut. */
  whole_page: boolean;
  /** Degrees clockwise, in (-180, 180], that the cut was turned by to stand upright. */
  rotation: number;
  /** 0 to 1. */
  confidence: number;
}

export interface CropResult {
  /** Size of the source page. */
  width: number;
  height: number;
  /** PNG files, one for each region. */
  images: Uint8Array[];
  regions: CropRegion[];
}

export interface CropOptions {
  signal?: AbortSignal;
}

export interface PipelineStep {
  action: 'split' | 'crop' | 'classify' | 'extract';
  /** Of `extract`. */
  options?: ExtractOptions;
}

/** A paper that was cut out of a page, read as a page of its own; of a whole page, that page's own words. */
export interface Cut extends CropRegion {
  /** The page that it lay on. 1-based. */
  page: number;
  text: PageText;
}

/** What a pipeline works on. */
export interface PipelineInput {
  /** Empty where the pages themselves were not read, because papers are cut out of them. */
  pages: PageText[];
  cuts: Cut[];
  einvoice?: EInvoice | undefined;
}

/** One document that a pipeline found, and what its steps said of it. */
export interface FoundDocument extends Partial<Extraction> {
  document: {
    /** 0-based. */
    index: number;
    /** 1-based pages of the file. */
    pages: number[];
    /** Where it was cut out. */
    bbox?: PageBox;
    rotation?: number;
  };
}

export interface EngineStats {
  /** Children that read. */
  children: number;
  restarts: number;
  queued: number;
  /** Calls of `compute` that were worked on in a child. */
  computed_apart: number;
}

/** The engine's pure functions. */
export type Computation =
  'classify' | 'split' | 'extract' | 'assemble' | 'validate' | 'trainModel' | 'extractWith' | 'lessonOf';

export interface DocumentEngine {
  inspect(bytes: Uint8Array, limits?: Limits): Promise<DocumentInfo>;
  /** The XML invoice, credit note or order that the file is or carries (UBL 2.1, CII, ZUGFeRD 1, Order-X); else undefined. */
  readEInvoice(bytes: Uint8Array, signal?: AbortSignal): Promise<EInvoice | undefined>;
  readPage(bytes: Uint8Array, page: number, options?: ReadPageOptions): Promise<PageText>;
  /** Cuts the papers and cards on one page out, upright. A page that shows one document gives one region. */
  crop(bytes: Uint8Array, page?: number, options?: CropOptions): Promise<CropResult>;
  classify(pages: PageText[]): Classification;
  /** Finds where documents begin in a file that holds several. */
  split(pages: PageText[]): SplitDocument[];
  extract(pages: PageText[], options?: ExtractOptions): Extraction;
  /**
   * Runs a pipeline's steps over what was read: one entry for each document found, in order.
   * @throws DocumentError BAD_STEPS where the order makes no sense; its message names the step
   */
  assemble(steps: PipelineStep[], input: PipelineInput): FoundDocument[];
  validate(extraction: Extraction, options?: ValidateOptions): Validation;
  /**
   * Learns where the fields of a layout stand from 2 to 50 samples. Accuracy is measured by leaving each sample out once.
   * @throws DocumentError BAD_MODEL where definition or samples can't be learned from; its `field` names the place
   */
  trainModel(definition: ModelDefinition, samples: TrainingSample[]): TrainedModel;
  extractWith(pages: PageText[], model: TrainedModel, options?: ModelExtractOptions): Extraction;
  /**
   * What a person's corrections ({field: right value, or null where the page has none}) teach of the issuer, for `lessons`
   * of later extractions. Undefined where they teach nothing.
   */
  lessonOf(pages: PageText[], extraction: Extraction, corrections: Record<string, unknown>): Lesson | undefined;
  /**
   * The function of this name, for a caller whose event loop has to stay free: large input, and each training, is worked on
   * in a child process. Rejects with what the function throws.
   * @throws DocumentError TIMEOUT or OUT_OF_RESOURCES where that takes longer or more memory than the options allow
   */
  compute<Name extends Computation>(
    name: Name,
    input: Parameters<DocumentEngine[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<DocumentEngine[Name]>>;
  close(): Promise<void>;
  stats(): EngineStats;
}

export const readerNames = ['ppocr', 'tesseract'] as const;
export type ReaderName = (typeof readerNames)[number];

export interface EngineOptions {
  /** Reader of photos and scans. Default: PP-OCR, and Tesseract where its native library can't be loaded. */
  reader?: ReaderName;
  /** Child processes. Default: one for every two cores. */
  processes?: number;
  /** Inference threads in each child. Default: cores / processes. */
  threads?: number;
  /** Resident memory at which a child is killed. */
  memoryLimitMb?: number;
  /** Time limit of one call in a child. */
  pageTimeoutMs?: number;
  /** Longest input of `compute`, as characters of JSON, that the caller's own thread works on. Default: 400,000. */
  largestInline?: number;
  /** Time limit of one computation in a child. Default: 60 s, and five minutes for a training. */
  computeTimeoutMs?: number;
  /** Calls after which a child is replaced by a fresh one. */
  recycleAfter?: number;
  log?: (line: string) => void;
}
