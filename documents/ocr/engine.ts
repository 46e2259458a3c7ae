import type { Word } from '../types.ts';

/** Interleaved 8-bit RGB. */
export interface RgbImage {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A text line as a rotated rectangle: centre, size along and across the reading direction, angle in radians. */
export interface TextRegion {
  cx: number;
  cy: number;
  width: number;
  height: number;
  angle: number;
  score: number;
}

export interface OcrLine {
  text: string;
  confidence: number;
  region: TextRegion;
  words: Word[];
}

export interface OcrEngine {
  readonly name: string;
  read(image: RgbImage): Promise<OcrLine[]>;
  close(): Promise<void>;
}

/** A reader that finds the lines of a page first, and then reads any of them, also upside down. */
export interface LineReader extends OcrEngine {
  detect(image: RgbImage): Promise<TextRegion[]>;
  recognise(image: RgbImage, regions: TextRegion[], flipped?: boolean): Promise<OcrLine[]>;
}

export const isLineReader = (ocr: OcrEngine): ocr is LineReader => 'detect' in ocr && 'recognise' in ocr;
