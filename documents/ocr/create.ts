import type { ReaderName } from '../types.ts';
import type { OcrEngine } from './engine.ts';

export interface OcrEngineOptions {
  /** Inference threads; Tesseract reads a page on one. */
  threads: number;
  /** Exactly this reader. Default: PP-OCR, or Tesseract where PP-OCR can't be loaded. */
  reader?: ReaderName | undefined;
  log: (line: string) => void;
}

/** Loaded on demand: importing PP-OCR throws where onnxruntime has no native binding for the platform. */
const readers: Record<ReaderName, (options: OcrEngineOptions) => Promise<OcrEngine>> = {
  ppocr: async ({ threads }) => (await import('./ppocr.ts')).PpOcr.create({ threads }),
  tesseract: async () => (await import('./tesseract.ts')).TesseractOcr.create(),
};

export async function createOcrEngine(options: OcrEngineOptions): Promise<OcrEngine> {
  if (options.reader !== undefined) return readers[options.reader](options);
  try {
    return await readers.ppocr(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    options.log(`documents: PP-OCR can't be loaded, pages are read with Tesseract instead: ${String(reason)}`);
    return readers.tesseract(options);
  }
}
