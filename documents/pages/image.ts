import { DocumentError, firstLine } from '../errors.ts';
import { defaultLimits } from '../load/limits.ts';
import { openPicture } from '../load/picture.ts';
import type { RgbImage } from '../ocr/engine.ts';

/** Above this many pixels a photo gains no legible text, only time and memory. */
const WORKING_PIXELS = 6_000_000;
const DEFAULT_DPI = 72;

export interface DecodedImage {
  image: RgbImage;
  /** Pixels of the upright original for each pixel of `image`. */
  scale: number;
  width: number;
  height: number;
  dpi: number;
}

/** Decodes one page of an image file upright (EXIF), flattened on white, at a size that OCR can work with. */
export async function decodeImage(
  bytes: Uint8Array,
  page: number,
  maxPixels: number = WORKING_PIXELS,
): Promise<DecodedImage> {
  try {
    const source = await openPicture(bytes, page, defaultLimits.maxPixels);
    const metadata = await source.metadata();
    const { width, height } = metadata.autoOrient;
    const scale = Math.max(1, Math.sqrt((width * height) / maxPixels));
    let pipeline = source.autoOrient();
    if (scale > 1) pipeline = pipeline.resize(Math.round(width / scale), Math.round(height / scale), { fit: 'fill' });
    const { data, info } = await pipeline
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const image = { data: info.channels === 3 ? data : greyToRgb(data), width: info.width, height: info.height };
    return { image, scale: width / info.width, width, height, dpi: Math.round(metadata.density ?? DEFAULT_DPI) };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError(
      'BROKEN',
      `Page ${String(page)} of the image can't be decoded: ${firstLine(error)}`,
      'file',
    );
  }
}

function greyToRgb(grey: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(grey.length * 3);
  for (let i = 0; i < grey.length; i++) rgb.fill(grey[i]!, i * 3, i * 3 + 3);
  return rgb;
}
