import type HeicDecode from 'heic-decode';
import { DocumentError, firstLine } from '../errors.ts';

/** A decoded picture: red, green, blue and alpha, 8 bits each. */
export interface RgbaImage {
  data: Uint8Array;
  width: number;
  height: number;
}

type Opened = Awaited<ReturnType<typeof HeicDecode.all>>;

/**
 * Runs with the pictures of a HEIC file open (libheif in WebAssembly). Their sizes are known before a pixel is decoded;
 * libheif turns and mirrors them as the file's own `irot` and `imir` say, so EXIF orientation must not be applied again
 * (ISO 23008-12 §6.5.10).
 */
async function withHeic<T>(bytes: Uint8Array, run: (images: Opened) => Promise<T> | T): Promise<T> {
  // Loaded when the first HEIC file comes: its code alone takes 10 MB.
  const { default: heic } = await import('heic-decode');
  let images: Opened;
  try {
    images = await heic.all({ buffer: bytes });
  } catch (error) {
    throw new DocumentError('BROKEN', `The HEIC file can't be read: ${firstLine(error)}`, 'file');
  }
  try {
    return await run(images);
  } finally {
    images.dispose();
  }
}

/** Width and height of each picture in the file. */
export const heicSizes = (bytes: Uint8Array): Promise<{ width: number; height: number }[]> =>
  withHeic(bytes, (images) => images.map(({ width, height }) => ({ width, height })));

/** One picture's pixels, upright; `page` is 1-based. Refused unread where it has more pixels than the limit. */
export function decodeHeic(bytes: Uint8Array, page: number, maxPixels: number): Promise<RgbaImage> {
  return withHeic(bytes, async (images) => {
    const image = images[page - 1];
    if (!image) throw new DocumentError('BROKEN', `The file has no page ${String(page)}.`, 'page');
    if (image.width * image.height > maxPixels) throw tooManyPixels(image, maxPixels);
    try {
      const { data, width, height } = await image.decode();
      return { data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height };
    } catch (error) {
      throw new DocumentError('BROKEN', `The HEIC picture can't be decoded: ${firstLine(error)}`, 'file');
    }
  });
}

export const tooManyPixels = (
  size: { width: number; height: number },
  maxPixels: number,
  what = 'image',
): DocumentError =>
  new DocumentError(
    'TOO_LARGE',
    `The ${what} has ${String(size.width)} × ${String(size.height)} pixels; the limit is ${String(maxPixels)} in all.`,
    'file',
  );
