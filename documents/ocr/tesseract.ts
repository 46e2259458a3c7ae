import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import tesseract, { type Line, type Worker } from 'tesseract.js';
import type { Box, Word } from '../types.ts';
import type { OcrEngine, OcrLine, RgbImage } from './engine.ts';

const LANGUAGE = 'eng';
/** The package holds the language data, gzipped; the reader unpacks it in memory. Nothing is downloaded or written. */
const LANGUAGE_DATA = join(
  dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${LANGUAGE}/package.json`)),
  '4.0.0_best_int',
);
/**
 * Smaller pages are enlarged to this longest side. Measured on 12 receipts: totals in the text, and words of the
 * merchant and address: as they are 8, .758; to 1,700 px 10, .784; to 2,200 px 8, .742; to 2,800 px 8, .774.
 */
const TARGET_SIDE = 1700;
const MAX_SCALE = 2;
/** Without it Tesseract guesses from the height of the text, and says so on stderr for each page. */
const ASSUMED_DPI = '200';

/** Tesseract 5 (LSTM) compiled to WebAssembly: slower and less exact on photos than PP-OCR, but runs wherever Node does. */
export class TesseractOcr implements OcrEngine {
  readonly name = 'tesseract-5';
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async create(): Promise<TesseractOcr> {
    const worker = await startWorker();
    await worker.setParameters({
      // One block of lines: the automatic layout takes the columns of a receipt apart, amounts from their labels.
      tessedit_pageseg_mode: tesseract.PSM.SINGLE_BLOCK,
      user_defined_dpi: ASSUMED_DPI,
      // Remarks on single specks would fill the log.
      debug_file: '/dev/null',
    });
    return new TesseractOcr(worker);
  }

  async read(image: RgbImage): Promise<OcrLine[]> {
    const scale = Math.min(MAX_SCALE, Math.max(1, TARGET_SIDE / Math.max(image.width, image.height)));
    const { data } = await this.#worker.recognize(await toPgm(image, scale), {}, { text: false, blocks: true });
    return (data.blocks ?? [])
      .flatMap((block) => block.paragraphs)
      .flatMap((paragraph) => paragraph.lines)
      .flatMap((line) => toLine(line, scale) ?? []);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** tesseract.js reports data that can't be read to `errorHandler` alone: its own promise would then stay pending. */
function startWorker(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const options = {
      langPath: LANGUAGE_DATA,
      gzip: true,
      cacheMethod: 'none',
      errorHandler: (reason: unknown) => reject(new Error(`tesseract.js: ${String(reason)}`)),
    };
    tesseract.createWorker(LANGUAGE, tesseract.OEM.LSTM_ONLY, options).then(resolve, reject);
  });
}

/** Grey and uncompressed: compressing a PNG for the reader to unpack took longer than handing the pixels over. */
async function toPgm(image: RgbImage, scale: number): Promise<Buffer> {
  const { data, info } = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(Math.round(image.width * scale), Math.round(image.height * scale), { fit: 'fill', kernel: 'cubic' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.concat([Buffer.from(`P5\n${String(info.width)} ${String(info.height)}\n255\n`), data]);
}

function toLine(line: Line, scale: number): OcrLine | undefined {
  const words = line.words
    .filter((word) => word.text.trim() !== '')
    .map((word): Word => ({ text: word.text, confidence: word.confidence / 100, bbox: toBox(word.bbox, scale) }));
  if (words.length === 0) return undefined;
  const { x, y, width, height } = toBox(line.bbox, scale);
  const { x0, y0, x1, y1 } = line.baseline;
  const confidence = line.confidence / 100;
  return {
    text: words.map((word) => word.text).join(' '),
    confidence,
    region: {
      cx: x + width / 2,
      cy: y + height / 2,
      width,
      height,
      angle: Math.atan2(y1 - y0, Math.max(1, x1 - x0)),
      score: confidence,
    },
    words,
  };
}

function toBox({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }, scale: number): Box {
  return { x: x0 / scale, y: y0 / scale, width: (x1 - x0) / scale, height: (y1 - y0) / scale };
}
