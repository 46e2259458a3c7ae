import sharp from 'sharp';
import { isLineReader, type OcrEngine, type RgbImage, type TextRegion } from '../ocr/engine.ts';
import { axisAlignedBox, type RotatedRect } from '../ocr/geometry.ts';
import type { PageReader } from '../pages/read-page.ts';
import type { Box, CropResult } from '../types.ts';
import { cutOut } from './cut.ts';
import { onPicture } from './faint-papers.ts';
import { findPapers } from './papers.ts';
import { type Picture, pictureOf } from './source.ts';
import { readingRectangle } from './upright.ts';
import { edgeMap } from './work-image.ts';

/** More are texture, not papers. */
const MAX_DOCUMENTS = 50;

/**
 * Finds the papers and cards on one page, cuts each out and turns it upright.
 *
 * @param page 1-based
 * @throws DocumentError BROKEN where the file has no such page or can't be decoded
 */
export async function cropImage(reader: PageReader, bytes: Uint8Array, page: number): Promise<CropResult> {
  const picture = await pictureOf(bytes, page);
  const ocr = await reader.ocr();
  const lines = await textLines(ocr, picture.image);
  const look = async (rect: RotatedRect): Promise<TextRegion[]> =>
    (await textLines(ocr, cutOut(picture.image, rect))).map((line) => onPicture(line, rect));
  const papers = (await findPapers(await edgeMap(picture.image), lines, look)).slice(0, MAX_DOCUMENTS);
  const result: CropResult = { width: picture.width, height: picture.height, images: [], regions: [] };
  for (const [index, paper] of papers.entries()) {
    const rect = await readingRectangle(ocr, picture.image, paper.rect, paper.lines);
    result.images.push(await toPng(cutOut(picture.image, rect)));
    result.regions.push({
      index,
      bbox: { ...boxIn(picture, rect), page },
      corners: cornersOf(rect, picture.scale),
      whole_page: papers.length === 1 && isWhole(picture, rect),
      rotation: clockwiseTurn(rect),
      confidence: Math.round(paper.confidence * 1000) / 1000,
    });
  }
  return result;
}

async function textLines(ocr: OcrEngine, image: RgbImage): Promise<TextRegion[]> {
  if (isLineReader(ocr)) return ocr.detect(image);
  return (await ocr.read(image)).map((line) => line.region);
}

/** The box around the rectangle, within the source. */
function boxIn({ scale, width, height }: Picture, rect: RotatedRect): Box {
  const box = axisAlignedBox(rect);
  const x = Math.max(0, Math.round(box.x * scale));
  const y = Math.max(0, Math.round(box.y * scale));
  const right = Math.min(width, Math.round((box.x + box.width) * scale));
  const bottom = Math.min(height, Math.round((box.y + box.height) * scale));
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

/** Less is cut away than a scanner's dark rim. */
const WHOLE_PAGE = 0.97;

function isWhole({ image }: Picture, rect: RotatedRect): boolean {
  return rect.angle === 0 && rect.width * rect.height >= WHOLE_PAGE * image.width * image.height;
}

function cornersOf({ cx, cy, width, height, angle }: RotatedRect, scale: number): [number, number][] {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const tenth = (value: number): number => Math.round(value * scale * 10) / 10;
  const signs: [number, number][] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return signs.map(([right, down]) => {
    const u = (right * width) / 2;
    const v = (down * height) / 2;
    return [tenth(cx + u * cos - v * sin), tenth(cy + u * sin + v * cos)];
  });
}

/** In (-180, 180], to a tenth of a degree. */
function clockwiseTurn({ angle }: RotatedRect): number {
  const turn = (-angle * 180) / Math.PI;
  const wrapped = turn - 360 * Math.ceil((turn - 180) / 360);
  return Math.round(wrapped * 10) / 10 + 0;
}

async function toPng({ data, width, height }: RgbImage): Promise<Uint8Array> {
  // The fastest level: the picture is read or sent once, and a photo's noise hardly compresses.
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}
