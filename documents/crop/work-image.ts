import sharp from 'sharp';
import type { RgbImage } from '../ocr/engine.ts';

/** Longest side that papers are looked for at: a paper's edge is a pixel sharp there, and text is a pixel wide. */
const WORK_SIDE = 800;
/** Dark marks narrower than this (text, ruled lines, creases) vanish before edges are looked for. */
const CLOSING_RADIUS = 2;
/** How much darker than its paper (of 255) the faintest print is. */
const INK_DEPTH = 20;

/** Where the colours of a photo change, with its text and ruled lines taken away. */
export interface EdgeMap {
  width: number;
  height: number;
  /** Source pixels for each pixel of the map. */
  scale: number;
  /** Change of colour at each pixel, in units of CIE lightness (0 to 100) for each pixel. */
  strength: Float32Array;
  /** Lightness (0 to 100) and two colour differences of the paper without its print. */
  colours: [Float32Array, Float32Array, Float32Array];
  /** 1 where a mark as thin as print was taken away. */
  ink: Uint8Array;
}

export async function edgeMap(image: RgbImage): Promise<EdgeMap> {
  const scale = Math.max(1, Math.max(image.width, image.height) / WORK_SIDE);
  const width = Math.max(8, Math.round(image.width / scale));
  const height = Math.max(8, Math.round(image.height / scale));
  const { data } = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'mitchell' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const strength = new Float32Array(width * height);
  const printed = [0, 1, 2].map((channel) => planeOf(data, channel));
  const blank = printed.map((plane) => close(plane, width, height));
  const planes = blank.map((plane) => smooth(plane, width, height));
  const colours = opponentPlanes(planes);
  for (const plane of colours) addGradient(plane, width, height, strength);
  for (let i = 0; i < strength.length; i++) strength[i] = Math.sqrt(strength[i]!);
  return { width, height, scale, strength, colours, ink: inkOf(printed[1]!, blank[1]!) };
}

function inkOf(printed: Uint8Array, blank: Uint8Array): Uint8Array {
  return printed.map((value, at) => (blank[at]! - value > INK_DEPTH ? 1 : 0));
}

function planeOf(rgb: Uint8Array, channel: number): Uint8Array {
  const plane = new Uint8Array(rgb.length / 3);
  for (let i = 0; i < plane.length; i++) plane[i] = rgb[i * 3 + channel]!;
  return plane;
}

/** Grey closing: the brightest of each neighbourhood, then the darkest of that. */
function close(plane: Uint8Array, width: number, height: number): Uint8Array {
  return extreme(extreme(plane, width, height, true), width, height, false);
}

/** The extreme of each square neighbourhood, along rows and then along columns. */
function extreme(plane: Uint8Array, width: number, height: number, bright: boolean): Uint8Array {
  const rows = alongLines(plane, { length: width, lines: height, step: 1, jump: width }, bright);
  return alongLines(rows, { length: height, lines: width, step: width, jump: 1 }, bright);
}

interface Lines {
  length: number;
  lines: number;
  /** Distance in the array of two neighbours on a line, and of two lines. */
  step: number;
  jump: number;
}

function alongLines(plane: Uint8Array, { length, lines, step, jump }: Lines, bright: boolean): Uint8Array {
  const out = new Uint8Array(plane.length);
  for (let line = 0; line < lines; line++) {
    const start = line * jump;
    for (let i = 0; i < length; i++) {
      const last = Math.min(length - 1, i + CLOSING_RADIUS);
      let best = plane[start + i * step]!;
      for (let k = Math.max(0, i - CLOSING_RADIUS); k <= last; k++) {
        const value = plane[start + k * step]!;
        if (bright ? value > best : value < best) best = value;
      }
      out[start + i * step] = best;
    }
  }
  return out;
}

/** Binomial 3 × 3: the noise of a sensor is an edge otherwise. */
function smooth(plane: Uint8Array, width: number, height: number): Float32Array {
  const rows = new Float32Array(plane.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const left = plane[x > 0 ? at - 1 : at]!;
      const right = plane[x + 1 < width ? at + 1 : at]!;
      rows[at] = (left + 2 * plane[at]! + right) / 4;
    }
  }
  const out = new Float32Array(plane.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const above = rows[y > 0 ? at - width : at]!;
      const below = rows[y + 1 < height ? at + width : at]!;
      out[at] = (above + 2 * rows[at]! + below) / 4;
    }
  }
  return out;
}

/** Lightness (0 to 100) and two colour differences: near enough to CIELAB to compare edges, at a tenth of its cost. */
function opponentPlanes([red, green, blue]: Float32Array[]): EdgeMap['colours'] {
  const light = new Float32Array(red!.length);
  const warm = new Float32Array(red!.length);
  const cold = new Float32Array(red!.length);
  for (let i = 0; i < light.length; i++) {
    const [r, g, b] = [red![i]!, green![i]!, blue![i]!];
    light[i] = (0.299 * r + 0.587 * g + 0.114 * b) / 2.55;
    warm[i] = (r - g) / 4;
    cold[i] = ((r + g) / 2 - b) / 4;
  }
  return [light, warm, cold];
}

/** Adds the square of the Sobel gradient. */
function addGradient(plane: Float32Array, width: number, height: number, squares: Float32Array): void {
  for (let y = 0; y < height; y++) {
    const up = Math.max(0, y - 1) * width;
    const here = y * width;
    const down = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++) {
      const l = Math.max(0, x - 1);
      const r = Math.min(width - 1, x + 1);
      const gx =
        plane[up + r]! +
        2 * plane[here + r]! +
        plane[down + r]! -
        plane[up + l]! -
        2 * plane[here + l]! -
        plane[down + l]!;
      const gy =
        plane[down + l]! +
        2 * plane[down + x]! +
        plane[down + r]! -
        plane[up + l]! -
        2 * plane[up + x]! -
        plane[up + r]!;
      squares[here + x] = squares[here + x]! + (gx * gx + gy * gy) / 64;
    }
  }
}
