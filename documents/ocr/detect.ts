import * as ort from 'onnxruntime-node';
import sharp from 'sharp';
import type { RgbImage, TextRegion } from './engine.ts';
import { convexHull, minimumAreaRect, type Point } from './geometry.ts';

/** Differentiable Binarization (Liao et al. 2020): a probability map of shrunken text lines, grown back afterwards. */
const PIXEL_THRESHOLD = 0.3;
const REGION_THRESHOLD = 0.5;
/** PaddleOCR's own. A taller box squeezes its text in the strip, and letters then share a time step and get lost. */
const UNCLIP_RATIO = 1.5;
const MIN_SIDE = 3;
const MAX_REGIONS = 2000;
/** ImageNet statistics, in the BGR order that PaddleOCR feeds its images in. */
const MEAN = [0.485, 0.456, 0.406] as const;
const STD = [0.229, 0.224, 0.225] as const;

/** Longest side of the image that the network sees first; the lines of a receipt are then 20 to 30 pixels high. */
const FIRST_SIDE = 960;
/**
 * Lines lower than this in the network's image are found roughly, and such a box cuts or squeezes its text: the page is
 * then looked at again at the scale that makes the usual line TARGET_HEIGHT high. Words of pages with small print read at
 * a side of 960: .71, 1,280: .83, 1,600: .87; receipts gain nothing from more than 960.
 */
const SMALL_HEIGHT = 20;
const TARGET_HEIGHT = 25;
/** Bounds of memory (the network holds about 250 bytes a pixel) and of what enlarging can bring. */
const MAX_PIXELS = 1_400_000;
const MAX_ENLARGEMENT = 2;

/** The text lines of a page, in the pixels of `image`, at the scale that its print needs. */
export async function detectText(session: ort.InferenceSession, image: RgbImage): Promise<TextRegion[]> {
  const longest = Math.max(image.width, image.height);
  const first = Math.min(1, FIRST_SIDE / longest);
  const regions = await detectAt(session, image, first);
  const height = usualHeight(regions) * first;
  if (regions.length === 0 || height >= SMALL_HEIGHT) return regions;
  const most = Math.sqrt(MAX_PIXELS / (image.width * image.height));
  const second = Math.min((first * TARGET_HEIGHT) / height, most, MAX_ENLARGEMENT);
  return second > first * 1.1 ? detectAt(session, image, second) : regions;
}

/** The height of a line at half of the length of all lines: the print that most of the page is set in. */
export function usualHeight(regions: TextRegion[]): number {
  const lines = regions.map(({ width, height }) => ({
    length: Math.max(width, height),
    height: Math.min(width, height),
  }));
  lines.sort((a, b) => a.height - b.height);
  const half = lines.reduce((sum, line) => sum + line.length, 0) / 2;
  let passed = 0;
  for (const line of lines) {
    passed += line.length;
    if (passed >= half) return line.height;
  }
  return 0;
}

async function detectAt(session: ort.InferenceSession, image: RgbImage, scale: number): Promise<TextRegion[]> {
  const width = roundTo32(image.width * scale);
  const height = roundTo32(image.height * scale);
  const { data } = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const input = new ort.Tensor('float32', normalise(data, width * height), [1, 3, height, width]);
  const output = await session.run({ [session.inputNames[0]!]: input });
  const map = output[session.outputNames[0]!]!.data as Float32Array;
  const sx = image.width / width;
  const sy = image.height / height;
  return regionsOf(map, width, height).map((region) => ({
    ...region,
    cx: region.cx * sx,
    cy: region.cy * sy,
    width: region.width * sx,
    height: region.height * sy,
  }));
}

const roundTo32 = (pixels: number): number => Math.max(32, Math.round(pixels / 32) * 32);

function normalise(rgb: Uint8Array, pixels: number): Float32Array {
  const planes = new Float32Array(pixels * 3);
  for (let channel = 0; channel < 3; channel++) {
    const source = 2 - channel; // RGB to BGR
    const scale = 1 / (255 * STD[channel as 0 | 1 | 2]);
    const shift = MEAN[channel as 0 | 1 | 2] / STD[channel as 0 | 1 | 2];
    const base = channel * pixels;
    for (let i = 0; i < pixels; i++) planes[base + i] = rgb[i * 3 + source]! * scale - shift;
  }
  return planes;
}

/** Connected components of the binarised map, each as its least-area rectangle grown by the unclip distance. */
export function regionsOf(map: Float32Array, width: number, height: number): TextRegion[] {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const regions: TextRegion[] = [];
  for (let start = 0; start < map.length && regions.length < MAX_REGIONS; start++) {
    if (seen[start] || map[start]! <= PIXEL_THRESHOLD) continue;
    seen[start] = 1;
    stack.push(start);
    const component = flood(map, seen, stack, width, height);
    const region = component.score >= REGION_THRESHOLD ? regionOf(component) : undefined;
    if (region) regions.push(region);
  }
  return regions;
}

interface Component {
  /** Leftmost and rightmost pixel of each row: enough for the hull. */
  rows: Map<number, [number, number]>;
  score: number;
}

function flood(map: Float32Array, seen: Uint8Array, stack: number[], width: number, height: number): Component {
  const rows = new Map<number, [number, number]>();
  let sum = 0;
  let count = 0;
  while (stack.length > 0) {
    const index = stack.pop()!;
    const y = Math.floor(index / width);
    const x = index - y * width;
    sum += map[index]!;
    count++;
    const row = rows.get(y);
    if (!row) rows.set(y, [x, x]);
    else if (x < row[0]) row[0] = x;
    else if (x > row[1]) row[1] = x;
    for (let dy = -1; dy <= 1; dy++) {
      const ny = y + dy;
      if (ny < 0 || ny >= height) continue;
      for (let dx = -1; dx <= 1; dx++) {
        const nx = x + dx;
        if (nx < 0 || nx >= width) continue;
        const next = ny * width + nx;
        if (seen[next] || map[next]! <= PIXEL_THRESHOLD) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
  return { rows, score: sum / count };
}

function regionOf({ rows, score }: Component): TextRegion | undefined {
  const points: Point[] = [];
  for (const [y, [left, right]] of rows) {
    points.push({ x: left, y }, { x: right + 1, y }, { x: left, y: y + 1 }, { x: right + 1, y: y + 1 });
  }
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  const rect = minimumAreaRect(convexHull(points));
  if (Math.min(rect.width, rect.height) < MIN_SIDE) return undefined;
  const grow = (2 * (rect.width * rect.height * UNCLIP_RATIO)) / (2 * (rect.width + rect.height));
  return { ...rect, width: rect.width + grow, height: rect.height + grow, score };
}
