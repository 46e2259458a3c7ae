import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { type Box, createDocumentEngine } from '../../documents/index.ts';
import { backgroundNames, paintGround, photograph } from './photo-ground.ts';
import { randomFrom, type Random } from './random.ts';

/**
 * Photos of receipts and cards on tables that the set in shared/data has none of (fabric, tiles, marble, bright and dim
 * light, shadows, any rotation), composed with a fixed seed, and how many of their papers the engine finds.
 *
 *   node bench/documents/crop-photos.ts [--count 40] [--seed 1] [--keep FOLDER]
 */
const RECEIPTS = resolve(import.meta.dirname, '../../../shared/data/receipts');

interface Photo {
  png: Buffer;
  background: string;
  boxes: Box[];
}

interface Placed {
  input: Buffer;
  left: number;
  top: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'string' },
    },
  });
  if (!existsSync(RECEIPTS)) {
    console.log(`skipped: ${RECEIPTS} is not there`);
    return;
  }
  const receipts = readdirSync(RECEIPTS).filter((name) => /^sroie_\d+\.jpg$/.test(name));
  if (values.keep !== undefined) mkdirSync(values.keep, { recursive: true });
  const engine = createDocumentEngine({ processes: 1 });
  const tally = new Map<string, { photos: number; right: number; ious: number[]; seconds: number[] }>();
  for (let index = 0; index < Number(values.count); index++) {
    const photo = await compose(randomFrom(Number(values.seed) * 1000 + index), receipts, index);
    if (values.keep !== undefined) {
      writeFileSync(join(values.keep, `${String(index).padStart(3, '0')}_${photo.background}.jpg`), photo.png);
    }
    const started = performance.now();
    const { regions } = await engine.crop(photo.png);
    const row = tally.get(photo.background) ?? { photos: 0, right: 0, ious: [], seconds: [] };
    tally.set(photo.background, row);
    row.photos++;
    row.seconds.push((performance.now() - started) / 1000);
    if (regions.length === photo.boxes.length) row.right++;
    else
      console.log(
        `photo ${String(index)} (${photo.background}): ${String(photo.boxes.length)} papers, ${String(regions.length)} found`,
      );
    for (const box of photo.boxes) row.ious.push(Math.max(0, ...regions.map(({ bbox }) => iou(bbox, box))));
  }
  await engine.close();
  report(tally);
}

function report(tally: Map<string, { photos: number; right: number; ious: number[]; seconds: number[] }>): void {
  const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  let photos = 0;
  let right = 0;
  for (const [name, row] of tally) {
    photos += row.photos;
    right += row.right;
    console.log(
      `${name.padEnd(8)} count right ${String(row.right)}/${String(row.photos)}, mean IoU ${mean(row.ious).toFixed(3)}, mean ${mean(row.seconds).toFixed(2)} s`,
    );
  }
  const ious = [...tally.values()].flatMap((row) => row.ious);
  console.log(`all      count right ${String(right)}/${String(photos)}, mean IoU ${mean(ious).toFixed(3)}`);
}

async function compose(random: Random, receipts: string[], index: number): Promise<Photo> {
  const background = backgroundNames[index % backgroundNames.length] ?? 'dark';
  const landscape = random() < 0.5;
  const [width, height] = landscape ? [2400, 1800] : [1800, 2400];
  const columns = 1 + Math.floor(random() * (landscape ? 4 : 3));
  const rows = 1 + Math.floor(random() * 2);
  const cell = { width: Math.floor(width / columns), height: Math.floor(height / rows) };
  const placed: Placed[] = [];
  const boxes: Box[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (random() < 0.15 && (row > 0 || column > 0)) continue;
      const paper = await paperFor(random, receipts, cell);
      const left = Math.round(column * cell.width + random() * (cell.width - paper.width));
      const top = Math.round(row * cell.height + random() * (cell.height - paper.height));
      placed.push({ input: paper.png, left, top });
      boxes.push({ x: left, y: top, width: paper.width, height: paper.height });
    }
  }
  const ground = await paintGround(random, background, width, height);
  return { png: await photograph(random, ground, placed, { width, height }), background, boxes };
}

/** A receipt or a card, turned, that fits into a cell with a margin. */
async function paperFor(random: Random, receipts: string[], cell: { width: number; height: number }) {
  const source =
    random() < 0.25 ? card(random) : sharp(join(RECEIPTS, receipts[Math.floor(random() * receipts.length)] ?? ''));
  const flat = await source.removeAlpha().toColourspace('srgb').png().toBuffer();
  const quarter = random() < 0.25 ? 90 * (1 + Math.floor(random() * 3)) : 0;
  const angle = quarter + (random() - 0.5) * 30;
  const turned = await sharp(flat).ensureAlpha().rotate(angle, { background: '#00000000' }).png().toBuffer();
  const share = 0.75 + random() * 0.2;
  const fitted = await sharp(turned)
    .resize(Math.floor(cell.width * share), Math.floor(cell.height * share), { fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: fitted.data, width: fitted.info.width, height: fitted.info.height };
}

/** A plastic card as banks and offices give them: coloured, with a photo and a few lines. */
function card(random: Random): Sharp {
  const hue = Math.floor(random() * 360);
  const number = Array.from({ length: 4 }, () => String(1000 + Math.floor(random() * 9000))).join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="860" height="540">
    <rect width="860" height="540" fill="hsl(${String(hue)},45%,${String(55 + Math.floor(random() * 30))}%)"/>
    <rect width="860" height="90" fill="hsl(${String(hue)},60%,30%)"/>
    <text x="30" y="62" font-size="44" fill="white" font-family="sans-serif">MEMBERSHIP CARD</text>
    <rect x="40" y="130" width="220" height="290" fill="#a08070"/>
    <g font-family="sans-serif" font-size="36" fill="#111"><text x="300" y="180">Name SAMPLE PERSON</text>
    <text x="300" y="250">Born 01.02.1980</text><text x="300" y="320">Valid until 31.12.2030</text>
    <text x="300" y="390">City of Example</text><text x="40" y="490" font-size="48">${number}</text></g></svg>`;
  return sharp(Buffer.from(svg));
}

function iou(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const common = Math.max(0, width) * Math.max(0, height);
  return common / (a.width * a.height + b.width * b.height - common);
}

await main();
