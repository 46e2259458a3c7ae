import { checkBytes } from '../load/check.ts';
import { defaultLimits } from '../load/limits.ts';
import { DocumentError } from '../errors.ts';
import { detectLanguage } from '../ocr/language.ts';
import type { OcrEngine, OcrLine, RgbImage } from '../ocr/engine.ts';
import { readUpright } from '../orientation/orient.ts';
import type { PageText, Rotation, Word } from '../types.ts';
import { decodeImage } from './image.ts';
import { openPdf } from './pdfium.ts';
import { pageGeometry, type PageGeometry, renderPage } from './raster.ts';
import { readTextLayer } from './text-layer.ts';

/** Below this share of believable characters a text layer is read from the picture instead. */
const MIN_TRUST = 0.9;
/** A scan with a stamp or a page number as its only text is a picture. */
const MIN_LAYER_CHARACTERS = 40;
/** Detections that are read with less than this are texture, logos and dirt. */
const MIN_LINE_CONFIDENCE = 0.5;

export interface PageReader {
  ocr(): Promise<OcrEngine>;
}

/** Reads one page: its text layer where that can be trusted, else its picture. */
export async function readPage(
  reader: PageReader,
  bytes: Uint8Array,
  page: number,
  language?: string,
): Promise<PageText> {
  const mime = checkBytes(bytes, defaultLimits);
  return mime === 'application/pdf'
    ? readPdfPage(reader, bytes, page, language)
    : readImage(reader, bytes, page, language);
}

async function readPdfPage(reader: PageReader, bytes: Uint8Array, page: number, language?: string): Promise<PageText> {
  const pdf = await openPdf(bytes);
  let picture: { image: RgbImage; geometry: PageGeometry };
  try {
    if (page < 1 || page > pdf.pages) throw noSuchPage(page);
    const found = pdf.withPage(page - 1, (handle) => {
      const geometry = pageGeometry(pdf.module, handle);
      const layer = readTextLayer(pdf.module, handle, geometry);
      const characters = layer.words.reduce((sum, word) => sum + word.text.length, 0);
      if (layer.trust >= MIN_TRUST && characters >= MIN_LAYER_CHARACTERS) return { words: layer.words, geometry };
      return { image: renderPage(pdf.module, handle, geometry), geometry };
    });
    if ('words' in found) return textLayerPage(page, found.words, found.geometry, language);
    picture = found;
  } finally {
    pdf.close();
  }
  return ocrPage(reader, picture.image, { page, scale: 1, ...picture.geometry }, language);
}

function textLayerPage(page: number, words: Word[], geometry: PageGeometry, language?: string): PageText {
  return {
    page,
    ...geometry,
    words: words.map(roundWord),
    source: 'text_layer',
    rotation: 0,
    language: language ?? detectLanguage(words),
  };
}

async function readImage(reader: PageReader, bytes: Uint8Array, page: number, language?: string): Promise<PageText> {
  if (page < 1) throw noSuchPage(page);
  const { image, ...at } = await decodeImage(bytes, page);
  return ocrPage(reader, image, { page, ...at }, language);
}

async function ocrPage(
  reader: PageReader,
  image: RgbImage,
  at: PageGeometry & { page: number; scale: number },
  language?: string,
): Promise<PageText> {
  const reading = await readUpright(await reader.ocr(), image);
  const words = wordsOf(reading.lines, at.scale);
  const sideways = reading.rotation === 90 || reading.rotation === 270;
  return {
    page: at.page,
    width: sideways ? at.height : at.width,
    height: sideways ? at.width : at.height,
    dpi: at.dpi,
    words,
    source: 'ocr',
    rotation: reading.rotation satisfies Rotation,
    language: language ?? detectLanguage(words),
  };
}

function wordsOf(lines: OcrLine[], scale: number): Word[] {
  return lines
    .filter((line) => line.confidence >= MIN_LINE_CONFIDENCE)
    .flatMap((line) => line.words)
    .map(({ text, confidence, bbox: { x, y, width, height } }) =>
      roundWord({
        text,
        confidence,
        bbox: { x: x * scale, y: y * scale, width: width * scale, height: height * scale },
      }),
    );
}

/** A tenth of a pixel and a thousandth of confidence are all that the stored JSON needs. */
function roundWord({ text, confidence, bbox }: Word): Word {
  const tenth = (value: number): number => Math.round(value * 10) / 10;
  return {
    text,
    confidence: Math.round(confidence * 1000) / 1000,
    bbox: { x: tenth(bbox.x), y: tenth(bbox.y), width: tenth(bbox.width), height: tenth(bbox.height) },
  };
}

const noSuchPage = (page: number): DocumentError =>
  new DocumentError('BROKEN', `The file has no page ${String(page)}.`, 'page');
