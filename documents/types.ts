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
}

export interface ValidationCheck {
  rule: string;
  passed: boolean;
  message: string;
}

export interface Validation {
  checks: ValidationCheck[];
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
}

export interface EngineStats {
  children: number;
  restarts: number;
  queued: number;
}

export interface DocumentEngine {
  inspect(bytes: Uint8Array, limits?: Limits): Promise<DocumentInfo>;
  readPage(bytes: Uint8Array, page: number, options?: ReadPageOptions): Promise<PageText>;
  classify(pages: PageText[]): Classification;
  extract(pages: PageText[], options?: ExtractOptions): Extraction;
  validate(extraction: Extraction): Validation;
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
  /** Calls after which a child is replaced by a fresh one. */
  recycleAfter?: number;
  log?: (line: string) => void;
}
