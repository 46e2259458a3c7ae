import type { RotatedRect } from '../ocr/geometry.ts';
import type { RgbImage } from '../ocr/engine.ts';

/**
 * Cuts a rotated rectangle out of an image and turns it so that its width runs from left to right. What lies outside of
 * the image is white.
 */
export function cutOut(image: RgbImage, rect: RotatedRect): RgbImage {
  const width = Math.max(1, Math.round(rect.width));
  const height = Math.max(1, Math.round(rect.height));
  const data = new Uint8Array(width * height * 3);
  const cos = Math.cos(rect.angle);
  const sin = Math.sin(rect.angle);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const u = column + 0.5 - width / 2;
      const v = row + 0.5 - height / 2;
      const x = rect.cx + u * cos - v * sin - 0.5;
      const y = rect.cy + u * sin + v * cos - 0.5;
      sample(image, x, y, data, (row * width + column) * 3);
    }
  }
  return { data, width, height };
}

/** Bilinear. */
function sample({ data, width, height }: RgbImage, x: number, y: number, out: Uint8Array, to: number): void {
  if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) {
    out.fill(255, to, to + 3);
    return;
  }
  const cx = Math.min(Math.max(x, 0), width - 1);
  const cy = Math.min(Math.max(y, 0), height - 1);
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  const fx = cx - x0;
  const fy = cy - y0;
  const right = x0 + 1 < width ? 3 : 0;
  const down = y0 + 1 < height ? width * 3 : 0;
  const at = (y0 * width + x0) * 3;
  for (let c = 0; c < 3; c++) {
    const top = data[at + c]! * (1 - fx) + data[at + right + c]! * fx;
    const bottom = data[at + down + c]! * (1 - fx) + data[at + down + right + c]! * fx;
    out[to + c] = Math.round(top * (1 - fy) + bottom * fy);
  }
}
