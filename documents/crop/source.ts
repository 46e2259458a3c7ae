import { DocumentError } from '../errors.ts';
import { checkBytes } from '../load/check.ts';
import { defaultLimits } from '../load/limits.ts';
import type { RgbImage } from '../ocr/engine.ts';
import { decodeImage } from '../pages/image.ts';
import { openPdf } from '../pages/pdfium.ts';
import { pageGeometry, renderPage } from '../pages/raster.ts';

/** A photo of several papers is cut at its full resolution up to here: a sixth of it must still be legible. */
const CUT_PIXELS = 12_000_000;

export interface Picture {
  image: RgbImage;
  /** Source pixels for each pixel of `image`. */
  scale: number;
  width: number;
  height: number;
}

/** One page as a picture: an image upright by EXIF, a PDF's page at the resolution that its text is read at. */
export async function pictureOf(bytes: Uint8Array, page: number): Promise<Picture> {
  const noSuchPage = (): DocumentError => new DocumentError('BROKEN', `The file has no page ${String(page)}.`, 'page');
  if (page < 1) throw noSuchPage();
  if (checkBytes(bytes, defaultLimits) !== 'application/pdf') return decodeImage(bytes, page, CUT_PIXELS);
  const pdf = await openPdf(bytes);
  try {
    if (page > pdf.pages) throw noSuchPage();
    return pdf.withPage(page - 1, (handle) => {
      const { width, height } = pageGeometry(pdf.module, handle);
      const image = renderPage(pdf.module, handle, pageGeometry(pdf.module, handle));
      return { image, scale: 1, width, height };
    });
  } finally {
    pdf.close();
  }
}
