import sharp, { type Sharp } from 'sharp';
import { defaultLimits } from '../load/limits.ts';
import { openPicture } from '../load/picture.ts';
import { sniffMime } from '../load/sniff.ts';
import type { Box, Extraction, PageText } from '../types.ts';
import { openPdf } from './pdfium.ts';
import { pageGeometry, renderPage } from './raster.ts';

interface Mark {
  label: string;
  confidence: number;
  box: Box;
}

/** The page as a PNG with a box, a name and a confidence for each field and each cell of the line items on it. */
export async function drawOverlay(bytes: Uint8Array, page: PageText, extraction: Extraction): Promise<Buffer> {
  const picture = await pagePicture(bytes, page);
  return picture
    .composite([{ input: Buffer.from(svgOf(page, marksOf(page.page, extraction))), top: 0, left: 0 }])
    .png()
    .toBuffer();
}

function marksOf(page: number, extraction: Extraction): Mark[] {
  const marks: Mark[] = [];
  for (const [name, { bbox, confidence }] of Object.entries(extraction.fields)) {
    if (bbox?.page === page) marks.push({ label: `${name} ${confidence.toFixed(2)}`, confidence, box: bbox });
  }
  for (const [index, item] of extraction.line_items.entries()) {
    for (const [column, { bbox, confidence }] of Object.entries(item)) {
      // The row's number once; a cell's column would hide the cells above it.
      const label = column === 'description' ? `line ${String(index + 1)}` : '';
      if (bbox?.page === page) marks.push({ label, confidence, box: bbox });
    }
  }
  return marks;
}

/** The page as its boxes are measured: upright, at the size that was reported. */
async function pagePicture(bytes: Uint8Array, page: PageText): Promise<Sharp> {
  const mime = sniffMime(bytes);
  if (mime === 'application/xml') return sharp(Buffer.from(typedPage(page)));
  const upright = mime === 'application/pdf' ? await pdfPicture(bytes, page) : await imagePicture(bytes, page);
  const turned = await upright.rotate(page.rotation).png().toBuffer();
  return sharp(turned).resize(page.width, page.height, { fit: 'fill' });
}

async function imagePicture(bytes: Uint8Array, page: PageText): Promise<Sharp> {
  const picture = await openPicture(bytes, page.page, defaultLimits.maxPixels);
  return sharp(await picture.autoOrient().png().toBuffer());
}

async function pdfPicture(bytes: Uint8Array, page: PageText): Promise<Sharp> {
  const pdf = await openPdf(bytes);
  try {
    const { data, width, height } = pdf.withPage(page.page - 1, (handle) =>
      renderPage(pdf.module, handle, pageGeometry(pdf.module, handle)),
    );
    return sharp(data, { raw: { width, height, channels: 3 } });
  } finally {
    pdf.close();
  }
}

/** An XML invoice has no picture: its page is set from its words. */
function typedPage({ width, height, words }: PageText): string {
  const texts = words.map(
    ({ text, bbox }) =>
      `<text x="${String(bbox.x)}" y="${String(bbox.y + bbox.height * 0.8)}" font-family="monospace" font-size="24" ` +
      `textLength="${String(bbox.width)}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`,
  );
  return `${svgStart(width, height)}<rect width="100%" height="100%" fill="#ffffff"/>${texts.join('')}</svg>`;
}

function svgOf(page: PageText, marks: Mark[]): string {
  const size = Math.max(10, Math.round(page.width / 85));
  const placed: Box[] = [];
  const shapes = marks.map(({ label, confidence, box }) => {
    const colour = colourOf(confidence);
    const frame = `<rect ${rectangle(box)} fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="2"/>`;
    if (label === '') return frame;
    const tag = placeLabel(box, { width: label.length * size * 0.58 + 6, height: size * 1.3 }, page, placed);
    placed.push(tag);
    return (
      `${frame}<rect ${rectangle(tag)} fill="#ffffff" fill-opacity="0.85" stroke="${colour}" stroke-width="1"/>` +
      `<text x="${String(tag.x + 3)}" y="${String(tag.y + size)}" font-family="sans-serif" font-size="${String(size)}" ` +
      `fill="${colour}">${escaped(label)}</text>`
    );
  });
  return `${svgStart(page.width, page.height)}${shapes.join('')}</svg>`;
}

/** Green to rely on, amber to look at, red for a guess. */
const colourOf = (confidence: number): string =>
  confidence >= 0.9 ? '#0b6e2f' : confidence >= 0.7 ? '#a65f00' : '#b3151d';

/** Behind its box, above, below or before it: where it hides no word and no other label, else no other label. */
function placeLabel(box: Box, size: { width: number; height: number }, page: PageText, placed: Box[]): Box {
  const x = Math.max(0, Math.min(box.x, page.width - size.width));
  const middle = box.y + (box.height - size.height) / 2;
  const places = [
    { x: box.x + box.width + 4, y: middle, ...size },
    { x, y: box.y - size.height - 2, ...size },
    { x, y: box.y + box.height + 2, ...size },
    { x: box.x - size.width - 4, y: middle, ...size },
  ].filter((tag) => tag.x >= 0 && tag.y >= 0 && tag.x + tag.width <= page.width && tag.y + tag.height <= page.height);
  const clear = (tag: Box, others: Box[]): boolean => !others.some((other) => overlaps(tag, other));
  const words = page.words.map((word) => word.bbox);
  return (
    places.find((tag) => clear(tag, placed) && clear(tag, words)) ??
    places.find((tag) => clear(tag, placed)) ??
    places[0] ?? { x, y: box.y, ...size }
  );
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const svgStart = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}">`;

const rectangle = ({ x, y, width, height }: Box): string =>
  `x="${String(x)}" y="${String(y)}" width="${String(width)}" height="${String(height)}"`;

/** Text for XML: what it may not hold (control characters) is left out. */
const escaped = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
