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
  _FPDFText_IsGenerated(text: number, index: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number;
  _FPDFText_GetCharBox(text: number, index: number, l: number, r: number, b: number, t: number): number;
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
    withPage: (index, run) => usePage(module, document, index, run),
    close: () => {
      module._FPDF_CloseDocument(document);
      module.wasmExports.free(data);
    },
  };
}

function usePage<T>(module: Pdfium, document: number, index: number, run: (page: number) => T): T {
  const page = module._FPDF_LoadPage(document, index);
  if (page === 0) throw new DocumentError('BROKEN', `Page ${String(index + 1)} of the PDF can't be read.`, 'file');
  try {
    return run(page);
  } finally {
    module._FPDF_ClosePage(page);
  }
}
