import type { RgbImage, TextRegion } from './engine.ts';

/** Height that PP-OCR's recogniser was trained on. */
export const LINE_HEIGHT = 48;
/** Strip pixels per time step of the recogniser. */
export const STEP_PIXELS = 8;

export interface LineStrip {
  /** Three planes (B, G, R) of LINE_HEIGHT rows, values in [-1, 1]. */
  planes: Float32Array;
  width: number;
}

interface CropOptions {
  /** Reads the region upside down. */
  flipped?: boolean;
  /** How much wider than in proportion the strip is. Default 1. */
  stretch?: number;
}

/** Width of the strip that a region becomes when scaled to the line height. */
function stripWidth(region: TextRegion, stretch = 1): number {
  const width = (LINE_HEIGHT * region.width * stretch) / region.height;
  return Math.max(16, Math.min(3200, Math.round(width)));
}

/**
 * The strip's planes with `margin` and more columns of mid grey behind it, up to whole time steps. The recogniser was trained on
 * lines that end before their image does, and drops or misreads last letters without.
 */
export function withMargin({ planes, width }: LineStrip, margin: number): LineStrip {
  const padded = Math.ceil((width + margin) / STEP_PIXELS) * STEP_PIXELS;
  if (padded === width) return { planes, width };
  const rows = 3 * LINE_HEIGHT;
  const out = new Float32Array(rows * padded);
  for (let row = 0; row < rows; row++) out.set(planes.subarray(row * width, (row + 1) * width), row * padded);
  return { planes: out, width: padded };
}

/**
 * Samples a rotated rectangle into an upright strip. Done in plain loops: one native call per line costs more than
 * the sampling itself.
 */
export function cropLine(image: RgbImage, region: TextRegion, options: CropOptions = {}): LineStrip {
  const width = stripWidth(region, options.stretch);
  const planes = new Float32Array(3 * LINE_HEIGHT * width);
  const plane = LINE_HEIGHT * width;
  const direction = options.flipped ? -1 : 1;
  const ux = (Math.cos(region.angle) * region.width * direction) / width;
  const uy = (Math.sin(region.angle) * region.width * direction) / width;
  const vx = (-Math.sin(region.angle) * region.height * direction) / LINE_HEIGHT;
  const vy = (Math.cos(region.angle) * region.height * direction) / LINE_HEIGHT;
  // Text taller than the strip is averaged over several samples a pixel, or thin strokes would vanish.
  const samples = Math.max(1, Math.min(4, Math.round(region.height / LINE_HEIGHT)));
  const { data } = image;
  const right = image.width - 1;
  const bottom = image.height - 1;
  const stride = image.width * 3;
  const scale = 1 / (127.5 * samples * samples);
  for (let row = 0, at = 0; row < LINE_HEIGHT; row++) {
    for (let column = 0; column < width; column++, at++) {
      let [red, green, blue] = [0, 0, 0];
      for (let s = 0; s < samples * samples; s++) {
        const fx = column + ((s % samples) + 0.5) / samples - width / 2;
        const fy = row + (Math.floor(s / samples) + 0.5) / samples - LINE_HEIGHT / 2;
        // Outside the image the border is repeated.
        const x = Math.min(Math.max(region.cx + fx * ux + fy * vx - 0.5, 0), right);
        const y = Math.min(Math.max(region.cy + fx * uy + fy * vy - 0.5, 0), bottom);
        const x0 = Math.floor(x);
        const y0 = Math.floor(y);
        const a = y0 * stride + x0 * 3;
        const b = x0 < right ? a + 3 : a;
        const c = y0 < bottom ? a + stride : a;
        const d = c + b - a;
        const wd = (x - x0) * (y - y0);
        const wb = x - x0 - wd;
        const wc = y - y0 - wd;
        const wa = 1 - wb - wc - wd;
        red += data[a]! * wa + data[b]! * wb + data[c]! * wc + data[d]! * wd;
        green += data[a + 1]! * wa + data[b + 1]! * wb + data[c + 1]! * wc + data[d + 1]! * wd;
        blue += data[a + 2]! * wa + data[b + 2]! * wb + data[c + 2]! * wc + data[d + 2]! * wd;
      }
      planes[at] = blue * scale - 1;
      planes[plane + at] = green * scale - 1;
      planes[2 * plane + at] = red * scale - 1;
    }
  }
  return { planes, width };
}
