import {
  isLineReader,
  type LineReader,
  type OcrEngine,
  type OcrLine,
  type Print,
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
/**
 * From here on all lines are read by the recogniser of clean print, which knows accents and spaces: pages that were drawn by
 * a computer reach it, of till receipts one in five. On worn print it loses (fields of receipts .82 against .87).
 */
const CLEAN_CONFIDENCE = 0.985;
/** Print that the other recogniser is less sure of is not clean: no need to ask. */
const LEGIBLE_CONFIDENCE = 0.93;

/** Reads a page whichever way it lies. `language` is an ISO 639-1 hint. */
export function readUpright(ocr: OcrEngine, source: RgbImage, language?: string): Promise<UprightReading> {
  return isLineReader(ocr) ? readByProbe(ocr, source, language) : readByTrial(ocr, source);
}

/**
 * The evidence is the reader's own: text lines taller than wide mean a quarter
 * turn, and the longest lines are read both ways where the first way is doubtful. (Tesseract's OSD was right on 80 of
 * 120 pages, this on all.)
 */
async function readByProbe(ocr: LineReader, source: RgbImage, language?: string): Promise<UprightReading> {
  let image = source;
  let rotation: Rotation = 0;
  let regions = await ocr.detect(image);
  if (mostlyVertical(regions)) {
    image = rotateImage(image, 90);
    rotation = 90;
    regions = await ocr.detect(image);
  }
  let probe = [...regions].sort((a, b) => b.width / b.height - a.width / a.height).slice(0, PROBE_LINES);
  let read = await ocr.recognise(image, probe);
  if (probe.length > 0 && evidence(read, probe.length) < SURE_CONFIDENCE) {
    const flipped = await ocr.recognise(image, probe, { flipped: true });
    if (evidence(flipped, probe.length) > evidence(read, probe.length)) {
      const before = image;
      regions = regions.map((region) => flipRegion(region, before));
      image = rotateImage(image, 180);
      rotation = rotation === 0 ? 180 : 270;
      probe = [];
      read = flipped.map((line) => ({ ...line, region: flipRegion(line.region, before) }));
    }
  }
  const { print, known } = await choosePrint(ocr, image, read, language);
  if (print !== 'rough') return { image, lines: await readRest(ocr, image, regions, { print, known }), rotation };
  const rest = regions.filter((region) => !probe.includes(region));
  return { image, lines: [...(probe.length > 0 ? read : []), ...(await ocr.recognise(image, rest))], rotation };
}

interface ChosenPrint {
  print: Print;
  /** Lines that were read as this print on the way. */
  known: OcrLine[];
}

/** From how sure each recogniser is of the longest lines. */
async function choosePrint(ocr: LineReader, image: RgbImage, read: OcrLine[], language?: string): Promise<ChosenPrint> {
  if (language === 'zh') return { print: 'chinese', known: [] };
  if (read.length === 0) return { print: 'clean', known: [] };
  if (evidence(read, read.length) < LEGIBLE_CONFIDENCE) return { print: 'rough', known: [] };
  const known: OcrLine[] = [];
  // Worn print shows in its first line or two: no need to read the others once the mean can't be reached any more.
  let doubt = read.length * (1 - CLEAN_CONFIDENCE);
  for (const { region } of read) {
    const lines = await ocr.recognise(image, [region], { print: 'clean' });
    known.push(...lines);
    doubt -= 1 - evidence(lines, 1);
    if (doubt < 0) return { print: 'rough', known: [] };
  }
  return { print: 'clean', known };
}

/** All lines in the order of their regions, of which those `known` are not read again. */
async function readRest(
  ocr: LineReader,
  image: RgbImage,
  regions: TextRegion[],
  { print, known }: ChosenPrint,
): Promise<OcrLine[]> {
  const done = new Set(known.map((line) => line.region));
  const rest = await ocr.recognise(
    image,
    regions.filter((region) => !done.has(region)),
    { print },
  );
  const lines = new Map([...known, ...rest].map((line) => [line.region, line]));
  return regions.flatMap((region) => lines.get(region) ?? []);
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
  return lines.reduce((sum, line) => sum + line.confidence, 0) / Math.max(1, asked);
}
