import { einvoicePage } from '../einvoice/page.ts';
import { readEInvoice } from '../einvoice/read.ts';
import { checkBytes } from '../load/check.ts';
import { defaultLimits } from '../load/limits.ts';
import { DocumentError } from '../errors.ts';
import { detectLanguage } from '../ocr/language.ts';
import type { OcrEngine, OcrLine, RgbImage } from '../ocr/engine.ts';
import { readUpright } from '../orientation/orient.ts';
import type { PageText, Rotation, Word } from '../types.ts';
import { decodeImage } from './image.ts';
import { chooseLayer, type LayerChoice, mergeWords } from './layer-choice.ts';
import { pagePictures } from './page-pictures.ts';
import { openPdf } from './pdfium.ts';
import { pageGeometry, type PageGeometry, renderPage } from './raster.ts';
import { readTextLayer, type TextLayer } from './text-layer.ts';

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
  if (mime === 'application/xml') return readXmlPage(bytes, page);
  return mime === 'application/pdf'
    ? readPdfPage(reader, bytes, page, language)
    : readImage(reader, bytes, page, language);
}

/** An XML invoice has no page: it is shown as one, so that everything behind can treat it like any other file. */
async function readXmlPage(bytes: Uint8Array, page: number): Promise<PageText> {
  const invoice = await readEInvoice(bytes);
  if (page !== 1 || !invoice) throw noSuchPage(page);
  return einvoicePage(invoice);
}

async function readPdfPage(reader: PageReader, bytes: Uint8Array, page: number, language?: string): Promise<PageText> {
  const pdf = await openPdf(bytes);
  let found: { layer: TextLayer; geometry: PageGeometry; choice: LayerChoice; image?: RgbImage };
  try {
    if (page < 1 || page > pdf.pages) throw noSuchPage(page);
    found = pdf.withPage(page - 1, (handle) => {
      const geometry = pageGeometry(pdf.module, handle);
      // First of all: a picture too large for us is refused before anything is drawn.
      const pictures = pagePictures(pdf.module, handle, geometry, defaultLimits.maxPixels);
      const layer = readTextLayer(pdf.module, handle, geometry);
      const choice = chooseLayer(layer, pictures, geometry);
      if (choice === 'layer') return { layer, geometry, choice };
      return { layer, geometry, choice, image: renderPage(pdf.module, handle, geometry) };
    });
  } finally {
    pdf.close();
  }
  const { layer, geometry, choice, image } = found;
  if (!image) return textLayerPage(page, layer, geometry, language);
  const read = await ocrPage(reader, image, { page, scale: 1, ...geometry }, language);
  const both = choice === 'both' && read.rotation === layer.rotation;
  return both ? { ...read, words: mergeWords(layer.words.map(roundWord), read.words) } : read;
}

function textLayerPage(
  page: number,
  { words, rotation }: TextLayer,
  { width, height, dpi }: PageGeometry,
  language?: string,
): PageText {
  const sideways = rotation === 90 || rotation === 270;
  return {
    page,
    width: sideways ? height : width,
    height: sideways ? width : height,
    dpi,
    words: words.map(roundWord),
    source: 'text_layer',
    rotation,
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
  const reading = await readUpright(await reader.ocr(), image, language);
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
