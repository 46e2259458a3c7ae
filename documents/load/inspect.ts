import { readEInvoice } from '../einvoice/read.ts';
import type { EInvoice } from '../einvoice/types.ts';
import { DocumentError } from '../errors.ts';
import { openPdf, type PdfDocument } from '../pages/pdfium.ts';
import type { DocumentInfo, Limits } from '../types.ts';
import { checkBytes } from './check.ts';
import { defaultLimits } from './limits.ts';
import { checkPixels, pictureSizes } from './picture.ts';

/** What the file is, without decoding a pixel of it. Throws a DocumentError for one that must not be read. */
export async function inspectDocument(bytes: Uint8Array, limits: Limits = {}): Promise<DocumentInfo> {
  const bounds = { ...defaultLimits, ...limits };
  const mime = checkBytes(bytes, bounds);
  const isPicture = mime !== 'application/pdf' && mime !== 'application/xml';
  const pages = isPicture
    ? await inspectImage(bytes, bounds)
    : mime === 'application/pdf'
      ? await inspectPdf(bytes, bounds)
      : 1;
  const einvoice = isPicture ? undefined : await readEInvoice(bytes);
  return { mime, pages, bytes: bytes.length, encrypted: false, ...(einvoice && { einvoice: summary(einvoice) }) };
}

const summary = ({ syntax, profile }: EInvoice): NonNullable<DocumentInfo['einvoice']> => ({
  syntax,
  ...(profile === undefined ? {} : { profile }),
});

async function inspectPdf(bytes: Uint8Array, bounds: Required<Limits>): Promise<number> {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.pages === 0) throw new DocumentError('EMPTY', 'The PDF has no pages.', 'file');
    checkPageCount(pdf.pages, bounds);
    for (let page = 0; page < pdf.pages; page++) checkPageSize(pdf, page);
    return pdf.pages;
  } finally {
    pdf.close();
  }
}

/** ISO 32000-1 annex C: no side of a page is longer than 14,400 units (200 inches); UserUnit may stretch them. */
const MAX_PAGE_POINTS = 14_400;

/** From the page's dictionary alone; its content is not parsed. */
function checkPageSize(pdf: PdfDocument, page: number): void {
  const { width, height } = pdf.pageSize(page);
  if (width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS) return;
  throw new DocumentError(
    'TOO_LARGE',
    `Page ${String(page + 1)} of the PDF measures ${inches(width)} × ${inches(height)} inches; the limit is 200 × 200.`,
    'file',
  );
}

const inches = (points: number): string => (points / 72).toFixed(0);

async function inspectImage(bytes: Uint8Array, bounds: Required<Limits>): Promise<number> {
  const sizes = await pictureSizes(bytes, bounds.maxPages);
  checkPageCount(sizes.length, bounds);
  checkPixels(sizes, bounds.maxPixels);
  return sizes.length;
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
