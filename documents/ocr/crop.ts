import type { RgbImage, TextRegion } from './engine.ts';

/** Height that PP-OCR's recogniser was trained on. */
export const LINE_HEIGHT = 48;

export interface LineStrip {
  /** Three planes (B, G, R) of LINE_HEIGHT rows, values in [-1, 1]. */
  planes: Float32Array;
  width: number;
}

/** Width of the strip that a region becomes when scaled to the line height. */
export function stripWidth(region: TextRegion): number {
  return Math.max(16, Math.min(3200, Math.round((LINE_HEIGHT * region.width) / region.height)));
}

/**
 * Samples a rotated rectangle into an upright strip. Done in plain loops: one native call per line costs more than
 * the sampling itself.
 */
export function cropLine(image: RgbImage, region: TextRegion, flipped = false): LineStrip {
  const width = stripWidth(region);
  const planes = new Float32Array(3 * LINE_HEIGHT * width);
  const plane = LINE_HEIGHT * width;
  const direction = flipped ? -1 : 1;
  const ux = (Math.cos(region.angle) * region.width * direction) / width;
  const uy = (Math.sin(region.angle) * region.width * direction) / width;
  const vx = (-Math.sin(region.angle) * region.height * direction) / LINE_HEIGHT;
  const vy = (Math.cos(region.angle) * region.height * direction) / LINE_HEIGHT;
  // Text taller than the strip is averaged over several samples a pixel, or thin strokes would vanish.
  const samples = Math.max(1, Math.min(4, Math.round(region.height / LINE_HEIGHT)));
  const colour = new Float32Array(3);
  for (let row = 0; row < LINE_HEIGHT; row++) {
    for (let column = 0; column < width; column++) {
      colour.fill(0);
      for (let s = 0; s < samples * samples; s++) {
        const fx = column + ((s % samples) + 0.5) / samples - width / 2;
        const fy = row + (Math.floor(s / samples) + 0.5) / samples - LINE_HEIGHT / 2;
        addSample(image, region.cx + fx * ux + fy * vx - 0.5, region.cy + fx * uy + fy * vy - 0.5, colour);
      }
      const at = row * width + column;
      const scale = 1 / (127.5 * samples * samples);
      planes[at] = colour[2]! * scale - 1;
      planes[plane + at] = colour[1]! * scale - 1;
      planes[2 * plane + at] = colour[0]! * scale - 1;
    }
  }
  return { planes, width };
}

/** Adds the bilinear sample at (x, y); outside the image the border is repeated. */
function addSample(image: RgbImage, x: number, y: number, colour: Float32Array): void {
  const { data, width, height } = image;
  const cx = Math.min(Math.max(x, 0), width - 1);
  const cy = Math.min(Math.max(y, 0), height - 1);
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  const fx = cx - x0;
  const fy = cy - y0;
  const right = x0 + 1 < width ? 3 : 0;
  const down = y0 + 1 < height ? width * 3 : 0;
  const at = (y0 * width + x0) * 3;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  for (let c = 0; c < 3; c++) {
    colour[c] =
      colour[c]! +
      data[at + c]! * w00 +
      data[at + right + c]! * w10 +
      data[at + down + c]! * w01 +
      data[at + right + down + c]! * w11;
  }
}
