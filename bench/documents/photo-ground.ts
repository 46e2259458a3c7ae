import sharp from 'sharp';
import type { Random } from './random.ts';

export const backgroundNames = ['dark', 'light', 'wood', 'fabric', 'tiles', 'marble', 'blue'] as const;
export type BackgroundName = (typeof backgroundNames)[number];

interface Size {
  width: number;
  height: number;
}

/** What papers are laid on, as raw RGB. */
export async function paintGround(
  random: Random,
  name: BackgroundName,
  width: number,
  height: number,
): Promise<Buffer> {
  const clouds = await noise(random, 12, { width, height });
  const grain = await noise(random, 500, { width, height });
  const data = Buffer.alloc(width * height * 3);
  const phase = random() * 10;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const colour = colourAt(name, x, y, (clouds[at] ?? 0) / 255 - 0.5, (grain[at] ?? 0) / 255 - 0.5, phase);
      for (let c = 0; c < 3; c++) data[at * 3 + c] = Math.max(0, Math.min(255, Math.round(colour[c] ?? 0)));
    }
  }
  return data;
}

type Colour = [number, number, number];

/** `cloud` and `grain` are slow and fast noise in [-0.5, 0.5]. */
function colourAt(name: BackgroundName, x: number, y: number, cloud: number, grain: number, phase: number): Colour {
  const lit = (base: Colour, change: number): Colour => base.map((value) => value + change) as Colour;
  switch (name) {
    case 'dark':
      return lit([48, 48, 52], 14 * cloud + 6 * grain);
    case 'light':
      return lit([214, 212, 206], 12 * cloud + 4 * grain);
    case 'wood':
      return lit([150, 102, 62], 50 * Math.sin(y / 38 + phase + 6 * cloud + x / 900) + 24 * grain);
    case 'fabric':
      return lit([92, 84, 110], 26 * (((x >> 2) + (y >> 2)) % 2) + 30 * grain + 20 * cloud);
    case 'tiles':
      return x % 420 < 10 || y % 420 < 10 ? [120, 118, 112] : lit([188, 170, 150], 16 * cloud + 8 * grain);
    case 'marble':
      return lit([176, 178, 182], 60 * Math.abs(cloud) * Math.sign(Math.sin(12 * cloud)) + 6 * grain);
    case 'blue':
      return lit([58, 96, 168], 20 * cloud + 8 * grain);
  }
}

/** Smooth noise with about `cells` bumps across. */
async function noise(random: Random, cells: number, { width, height }: Size): Promise<Buffer> {
  const columns = cells;
  const rows = Math.max(2, Math.round((cells * height) / width));
  const seeds = Buffer.from(Array.from({ length: columns * rows }, () => Math.floor(random() * 256)));
  const scaled = sharp(seeds, { raw: { width: columns, height: rows, channels: 1 } }).resize(width, height, {
    fit: 'fill',
    kernel: 'cubic',
  });
  return scaled.extractChannel(0).raw().toBuffer();
}

/** Lays papers with their shadows on the ground, lights the scene unevenly, and takes the picture with noise and blur. */
export async function photograph(
  random: Random,
  ground: Buffer,
  papers: { input: Buffer; left: number; top: number }[],
  { width, height }: Size,
): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const };
  const distance = Math.round(2 + random() * 10);
  const shadows = await Promise.all(papers.map((paper) => shadowOf(paper, distance)));
  const scene = await sharp(ground, { raw })
    .composite([...shadows, ...papers])
    .removeAlpha()
    .blur(0.5 + random())
    .raw()
    .toBuffer();
  const slope = { x: (random() - 0.5) * 0.4, y: (random() - 0.5) * 0.4, base: 0.8 + random() * 0.2 };
  for (let at = 0; at < width * height; at++) {
    const light =
      slope.base + slope.x * ((at % width) / width - 0.5) + slope.y * (Math.floor(at / width) / height - 0.5);
    const grain = (random() + random() - 1) * 10;
    for (let c = 0; c < 3; c++) {
      scene[at * 3 + c] = Math.max(0, Math.min(255, Math.round((scene[at * 3 + c] ?? 0) * light + grain)));
    }
  }
  return sharp(scene, { raw })
    .jpeg({ quality: 70 + Math.floor(random() * 25) })
    .toBuffer();
}

async function shadowOf(paper: { input: Buffer; left: number; top: number }, distance: number) {
  const input = await sharp(paper.input)
    .ensureAlpha()
    .linear([0, 0, 0, 0.45], [0, 0, 0, 0])
    .blur(1 + distance / 2)
    .png()
    .toBuffer();
  return { input, left: paper.left + distance, top: paper.top + distance };
}
