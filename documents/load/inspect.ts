import sharp, { type Metadata } from 'sharp';
import { DocumentError, firstLine } from '../errors.ts';
import { openPdf } from '../pages/pdfium.ts';
import type { DocumentInfo, Limits } from '../types.ts';
import { checkBytes } from './check.ts';
import { defaultLimits } from './limits.ts';

/** What the file is, without decoding a pixel of it. Throws a DocumentError for one that must not be read. */
export async function inspectDocument(bytes: Uint8Array, limits: Limits = {}): Promise<DocumentInfo> {
  const bounds = { ...defaultLimits, ...limits };
  const mime = checkBytes(bytes, bounds);
  const pages = mime === 'application/pdf' ? await inspectPdf(bytes, bounds) : await inspectImage(bytes, bounds);
  return { mime, pages, bytes: bytes.length, encrypted: false };
}

async function inspectPdf(bytes: Uint8Array, bounds: Required<Limits>): Promise<number> {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.pages === 0) throw new DocumentError('EMPTY', 'The PDF has no pages.', 'file');
    checkPageCount(pdf.pages, bounds);
    return pdf.pages;
  } finally {
    pdf.close();
  }
}

async function inspectImage(bytes: Uint8Array, bounds: Required<Limits>): Promise<number> {
  let metadata: Metadata;
  try {
    metadata = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
  } catch (error) {
    throw new DocumentError('BROKEN', `The image can't be read: ${firstLine(error)}`, 'file');
  }
  const pixels = metadata.width * metadata.height;
  if (pixels > bounds.maxPixels) {
    throw new DocumentError(
      'TOO_LARGE',
      `The image has ${String(pixels)} pixels; the limit is ${String(bounds.maxPixels)}.`,
      'file',
    );
  }
  const pages = metadata.pages ?? 1;
  checkPageCount(pages, bounds);
  return pages;
}

function checkPageCount(pages: number, bounds: Required<Limits>): void {
  if (pages > bounds.maxPages) {
    throw new DocumentError(
      'TOO_MANY_PAGES',
      `The file has ${String(pages)} pages; the limit is ${String(bounds.maxPages)}.`,
      'file',
    );
  }
}
