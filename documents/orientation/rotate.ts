import type { RgbImage, TextRegion } from '../ocr/engine.ts';
import type { Rotation } from '../types.ts';

/** Turns an image clockwise. */
export function rotateImage(image: RgbImage, rotation: Rotation): RgbImage {
  if (rotation === 0) return image;
  const { width, height, data } = image;
  const turned = rotation === 180 ? { width, height } : { width: height, height: width };
  const out = new Uint8Array(data.length);
  for (let y = 0; y < turned.height; y++) {
    for (let x = 0; x < turned.width; x++) {
      const from = sourceIndex(x, y, width, height, rotation) * 3;
      const to = (y * turned.width + x) * 3;
      out[to] = data[from]!;
      out[to + 1] = data[from + 1]!;
      out[to + 2] = data[from + 2]!;
    }
  }
  return { data: out, ...turned };
}

function sourceIndex(x: number, y: number, width: number, height: number, rotation: Rotation): number {
  if (rotation === 90) return (height - 1 - x) * width + y;
  if (rotation === 180) return (height - 1 - y) * width + (width - 1 - x);
  return x * width + (width - 1 - y);
}

/** Where a region of the image lies after the image was turned upside down. */
export function flipRegion(region: TextRegion, image: RgbImage): TextRegion {
  return { ...region, cx: image.width - region.cx, cy: image.height - region.cy };
}
