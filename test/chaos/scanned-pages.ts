import { readFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import type { PDFImage } from 'pdf-lib';
import sharp from 'sharp';
import { openPdf } from '../../documents/pages/pdfium.ts';
import { pageGeometry, renderPage } from '../../documents/pages/raster.ts';
import { sharedDataIsThere, sharedFile } from '../documents/support.ts';

const RECEIPTS = ['sroie_003.jpg', 'sroie_008.jpg', 'sroie_021.jpg'];
const INVOICE = new URL('../fixtures/documents/invoice-text-layer.pdf', import.meta.url);

/**
 * A PDF whose pages (three unless said otherwise) are pictures, so that each must go through OCR: real receipts, or where those are absent (they
 * are not in the repo) the fixture invoice without its text layer.
 */
export async function scannedPdf(pages = RECEIPTS.length): Promise<{ pages: number; bytes: Uint8Array }> {
  const pdf = await PDFDocument.create();
  const images = sharedDataIsThere
    ? await Promise.all(RECEIPTS.map((name) => pdf.embedJpg(sharedFile(`receipts/${name}`))))
    : Array<PDFImage>(RECEIPTS.length).fill(await pdf.embedPng(await picturedInvoice()));
  for (let page = 0; page < pages; page += 1) {
    const image = images[page % images.length]!;
    const { width, height } = image.scale(0.5);
    pdf.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
  }
  return { pages, bytes: await pdf.save() };
}

async function picturedInvoice(): Promise<Buffer> {
  const pdf = await openPdf(readFileSync(INVOICE));
  try {
    const { data, width, height } = pdf.withPage(0, (page) =>
      renderPage(pdf.module, page, pageGeometry(pdf.module, page)),
    );
    return await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
  } finally {
    pdf.close();
  }
}
