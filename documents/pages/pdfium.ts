import { PDFiumModule } from '@hyzyla/pdfium';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DocumentError } from '../errors.ts';

/** The part of PDFium's C interface that we call; numbers are pointers where C has pointers. */
export interface Pdfium {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(size: number): number; free(pointer: number): void };
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidth(page: number): number;
  _FPDF_GetPageHeight(page: number): number;
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFImageObj_GetImagePixelSize(object: number, width: number, height: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, colour: number): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_IsHyphen(text: number, index: number): number;
  _FPDFText_GetCharAngle(text: number, index: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number;
  _FPDFText_GetCharBox(text: number, index: number, l: number, r: number, b: number, t: number): number;
  _FPDF_GetPageSizeByIndex(document: number, index: number, width: number, height: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFPage_Flatten(page: number, use: number): number;
  _FPDFDoc_GetAttachmentCount(document: number): number;
  _FPDFDoc_GetAttachment(document: number, index: number): number;
  _FPDFAttachment_GetFile(attachment: number, buffer: number, size: number, outSize: number): number;
  _FPDF_PageToDevice(
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): number;
}

let library: Promise<Pdfium> | undefined;

/** One WASM instance a process; PDFium itself is not re-entrant, and our calls are synchronous. */
export function pdfium(): Promise<Pdfium> {
  library ??= loadLibrary();
  return library;
}

async function loadLibrary(): Promise<Pdfium> {
  const path = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm');
  const file = await readFile(path);
  const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const module = (await (PDFiumModule as unknown as (options: object) => Promise<unknown>)({ wasmBinary })) as Pdfium;
  module._FPDF_InitLibrary();
  return module;
}

export interface PdfDocument {
  readonly pages: number;
  readonly module: Pdfium;
  /** FPDF_DOCUMENT. */
  readonly document: number;
  /** In points, without its content being parsed; `index` is 0-based. */
  pageSize(index: number): { width: number; height: number };
  /** Runs with a page open; `index` is 0-based. */
  withPage<T>(index: number, run: (page: number) => T): T;
  close(): void;
}

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of fpdfview.h. */
const PASSWORD_ERRORS = new Set([4, 5]);

export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  const module = await pdfium();
  const data = module.wasmExports.malloc(bytes.length);
  if (data === 0) throw new DocumentError('OUT_OF_RESOURCES', 'The PDF does not fit into memory.', 'file');
  module.HEAPU8.set(bytes, data);
  const document = module._FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) {
    const reason = module._FPDF_GetLastError();
    module.wasmExports.free(data);
    if (PASSWORD_ERRORS.has(reason)) {
      throw new DocumentError('ENCRYPTED', 'The PDF is protected by a password.', 'file');
    }
    throw new DocumentError('BROKEN', "The PDF can't be read: it is damaged or cut short.", 'file');
  }
  return {
    pages: module._FPDF_GetPageCount(document),
    module,
    document,
    pageSize: (index) => sizeOfPage(module, document, index),
    withPage: (index, run) => usePage(module, document, index, run),
    close: () => {
      module._FPDF_CloseDocument(document);
      module.wasmExports.free(data);
    },
  };
}

function sizeOfPage(module: Pdfium, document: number, index: number): { width: number; height: number } {
  const out = module.wasmExports.malloc(16);
  try {
    if (module._FPDF_GetPageSizeByIndex(document, index, out, out + 8) === 0) throw unreadable(index);
    const view = new DataView(module.HEAPU8.buffer);
    return { width: view.getFloat64(out, true), height: view.getFloat64(out + 8, true) };
  } finally {
    module.wasmExports.free(out);
  }
}

const unreadable = (index: number): DocumentError =>
  new DocumentError('BROKEN', `Page ${String(index + 1)} of the PDF can't be read.`, 'file');

/** FLAT_NORMALDISPLAY and FLATTEN_SUCCESS of fpdf_flatten.h. */
const [FLATTEN_AS_SHOWN, FLATTENED] = [0, 1];
/** Free text, stamps and form fields (FPDF_ANNOT_* of fpdf_annot.h): text that is typed onto a page, not into it. */
const TYPED_ON = new Set([3, 13, 20]);
const MAX_ANNOTATIONS = 2_000;

/** Whether the page has text in annotations, which no text layer gives until they are made part of the page. */
function hasFilledFields(module: Pdfium, page: number): boolean {
  const count = Math.min(MAX_ANNOTATIONS, module._FPDFPage_GetAnnotCount(page));
  for (let index = 0; index < count; index++) {
    const annotation = module._FPDFPage_GetAnnot(page, index);
    const found = annotation !== 0 && TYPED_ON.has(module._FPDFAnnot_GetSubtype(annotation));
    if (annotation !== 0) module._FPDFPage_CloseAnnot(annotation);
    if (found) return true;
  }
  return false;
}

function usePage<T>(module: Pdfium, document: number, index: number, run: (page: number) => T): T {
  let page = module._FPDF_LoadPage(document, index);
  if (page !== 0 && hasFilledFields(module, page) && module._FPDFPage_Flatten(page, FLATTEN_AS_SHOWN) === FLATTENED) {
    // Only a page that is opened anew shows what was made part of it.
    module._FPDF_ClosePage(page);
    page = module._FPDF_LoadPage(document, index);
  }
  if (page === 0) throw unreadable(index);
  try {
    return run(page);
  } finally {
    module._FPDF_ClosePage(page);
  }
}
