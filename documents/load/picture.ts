import sharp, { type Metadata, type Sharp } from 'sharp';
import { DocumentError, firstLine } from '../errors.ts';
import { decodeHeic, heicSizes, tooManyPixels } from './heic.ts';
import { sniffMime } from './sniff.ts';

export interface PictureSize {
  width: number;
  height: number;
}

/** One page of a picture file of any accepted type, ready for libvips; nothing of it is decoded yet but HEIC's pixels. */
export async function openPicture(bytes: Uint8Array, page: number, maxPixels: number): Promise<Sharp> {
  if (sniffMime(bytes) !== 'image/heic') {
    return sharp(bytes, { page: page - 1, limitInputPixels: maxPixels, failOn: 'error' });
  }
  const { data, width, height } = await decodeHeic(bytes, page, maxPixels);
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels });
}

/**
 * The size of every page of a picture file, from headers alone: a file may claim pages that it never holds, so no more than
 * one beyond `maxPages` are looked at. Frames of an animation are no pages.
 */
export async function pictureSizes(bytes: Uint8Array, maxPages: number): Promise<PictureSize[]> {
  const mime = sniffMime(bytes);
  if (mime === 'image/heic') return heicSizes(bytes);
  const first = await metadataOf(bytes, 0);
  const pages = mime === 'image/tiff' ? (first.pages ?? 1) : 1;
  const sizes: PictureSize[] = [first];
  if (pages > maxPages) return Array.from({ length: pages }, () => first);
  for (let page = 1; page < pages; page++) sizes.push(await metadataOf(bytes, page));
  return sizes;
}

/** @throws DocumentError TOO_LARGE for the first page with too many pixels. */
export function checkPixels(sizes: PictureSize[], maxPixels: number): void {
  const huge = sizes.find(({ width, height }) => width * height > maxPixels);
  if (huge) throw tooManyPixels(huge, maxPixels);
}

async function metadataOf(bytes: Uint8Array, page: number): Promise<Metadata> {
  try {
    return await sharp(bytes, { page, limitInputPixels: false, failOn: 'error' }).metadata();
  } catch (error) {
    throw new DocumentError('BROKEN', `The image can't be read: ${firstLine(error)}`, 'file');
  }
}
