import sharp, { type Sharp } from 'sharp';
import { sniffMime } from '../load/sniff.ts';
import type { Extraction, PageBox, PageText } from '../types.ts';
import { openPdf } from './pdfium.ts';
import { pageGeometry, renderPage } from './raster.ts';

/** The page as a PNG with a box, a name and a confidence for each field on it. */
export async function drawOverlay(bytes: Uint8Array, page: PageText, extraction: Extraction): Promise<Buffer> {
  const boxes: [string, PageBox][] = [];
  for (const [name, field] of Object.entries(extraction.fields)) {
    if (field.bbox?.page === page.page) boxes.push([`${name} ${field.confidence.toFixed(2)}`, field.bbox]);
  }
  for (const [index, item] of extraction.line_items.entries()) {
    const box = item.description.bbox;
    if (box?.page === page.page) boxes.push([`line ${String(index + 1)}`, box]);
  }
  const picture = await pagePicture(bytes, page);
  return picture
    .composite([{ input: Buffer.from(svgOf(page, boxes)), top: 0, left: 0 }])
    .png()
    .toBuffer();
}

async function pagePicture(bytes: Uint8Array, page: PageText): Promise<Sharp> {
  if (sniffMime(bytes) !== 'application/pdf') {
    const upright = await sharp(bytes, { page: page.page - 1 })
      .autoOrient()
      .toBuffer();
    const turned = await sharp(upright).rotate(page.rotation).toBuffer();
    return sharp(turned).resize(page.width, page.height, { fit: 'fill' });
  }
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

function svgOf(page: PageText, boxes: [string, PageBox][]): string {
  const size = Math.max(10, Math.round(page.width / 75));
  const shapes = boxes.map(
    ([name, box]) =>
      `<rect x="${String(box.x)}" y="${String(box.y)}" width="${String(box.width)}" height="${String(box.height)}" fill="#0a58ca22" stroke="#0a58ca" stroke-width="2"/>` +
      `<text x="${String(box.x)}" y="${String(Math.max(size, box.y - 3))}" font-family="sans-serif" font-size="${String(size)}" fill="#c1121f">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(page.width)}" height="${String(page.height)}">${shapes.join('')}</svg>`;
}
